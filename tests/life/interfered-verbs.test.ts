import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { byHand, type Hand, moveWorker } from '../support/by-hand.js'
import { anInventoryFolder, aStage, aTopology, type Change, clusterYaml, type Stage } from '../support/lab.js'
import { bootstraps } from '../support/left-behind.js'
import { edited, evacuateHosts, reboot, replace, scaleTo, upgradeTo } from '../support/verbs.js'

const recipient = await identityToRecipient(await generateX25519Identity())
// An upgrade saves etcd first, and a plain secrets file names nobody whom it could be encrypted to.
const extra = `secrets: plain\nbackup: { etcd: { recipients: [${recipient}] } }\n`
const yaml = clusterYaml({ controlPlanes: 3, workers: 2, extra }).replace('v1.13.9', 'v1.13.8')
const topology = aTopology({ hosts: 3 })
let standing: ReturnType<Stage['lab']['save']>
let secrets: string
let stage: Stage

beforeAll(async () => {
  const folder = await anInventoryFolder({ 'cluster.yaml': yaml })
  const builder = await aStage({ speed: 1500, topology, files: { 'cluster.yaml': yaml }, folder })
  await builder.up()
  standing = builder.lab.save()
  secrets = await readFile(join(folder, 'secrets.lab.yaml'), 'utf8')
  await builder.close()
  await rm(folder, { recursive: true, force: true })
}, 120_000)
afterEach(async () => {
  await stage.close()
  await rm(stage.folder, { recursive: true, force: true })
})

const verbs: Readonly<Record<string, Change>> = {
  scale: scaleTo('workers=1'),
  replace: replace('dev-wk-1', 'dev-cp-2'),
  reboot: reboot('dev-wk-1', 'dev-cp-1'),
  evacuate: evacuateHosts(['pve1']),
  resize: edited({ path: 'sizing.worker.ram', value: '6GiB' }),
  upgrade: upgradeTo({ talos: 'v1.13.9' }),
}

/** What happens while a verb is at work. Gives whether it really happened. */
const interferences: Readonly<Record<string, (hand: Hand) => Promise<() => Promise<boolean>>>> = {
  'somebody moves a worker': async (hand) => {
    const host = await moveWorker(hand)
    return async () => host !== undefined
  },
  'somebody switches a control plane off': async (hand) => {
    const { vmid } = await hand.vm('dev-cp-3')
    const stops = () => stage.lab.proxmox.requests().filter(({ path }) => path.endsWith(`/qemu/${vmid}/status/stop`))
    const before = stops().length
    await hand.stop('dev-cp-3')
    return async () => stops().length > before
  },
  'the inventory is changed back': async () => {
    const path = join(stage.folder, 'cluster.yaml')
    const isChanged = (await readFile(path, 'utf8')) !== yaml
    await stage.write('cluster.yaml', yaml)
    // These two leave their intent in marks, and the inventory as it is.
    return async () => isChanged || intents.has(current)
  },
  'a host cannot be read for a while': async () => {
    const match = { surface: 'proxmox', host: 'pve2' } as const
    stage.lab.faults.add({ match, action: { kind: 'status', status: 595, message: 'No route to host' }, times: 60 })
    return async () => stage.lab.faults.list().some(({ hits }) => hits > 0)
  },
}

const intents = new Set(['replace', 'reboot'])
let current = ''

/** These are over after a few steps. */
const short = new Set(['scale', 'evacuate'])

const stories = Object.keys(verbs).flatMap((verb) =>
  Object.keys(interferences).map((what, index) => ({ verb, what, at: 1 + (short.has(verb) ? 1 : 3) * index })),
)

test.each(stories)(
  '$verb, and at its step $at $what: the next up ends well, and etcd was not harmed by us',
  async ({ verb, what, at }) => {
    const folder = await anInventoryFolder({ 'cluster.yaml': yaml, 'secrets.lab.yaml': secrets })
    stage = await aStage({ speed: 1500, topology, files: { 'cluster.yaml': yaml }, folder, resume: standing })
    const hand = await byHand(stage)
    current = verb
    let started = 0
    let interfered: Promise<() => Promise<boolean>> | undefined
    const change = verbs[verb]
    const run = stage.up({
      ...(change === undefined ? {} : { change }),
      onEvent: ({ type }) => {
        if (type === 'step.started' && ++started === at) interfered = interferences[what]?.(hand)
      },
    })
    await run.catch(() => undefined)
    expect(await (await interfered)?.(), `${what} at step ${at} of ${started}`).toBe(true)
    stage.lab.faults.clear()
    const finished = await stage.up({ forceUnlock: true }).catch(async () => stage.up({ forceUnlock: true }))
    expect(finished.outcome).toMatch(/^(done|nothing-to-do)$/)
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do', changed: 0 })
    const { observed, desired } = await stage.plan()
    expect(observed.machines.map(({ name }) => name).sort()).toEqual(
      desired.machines.map(({ machine }) => machine.name).sort(),
    )
    expect(observed.machines.filter(({ node }) => node?.ready !== true)).toEqual([])
    expect(bootstraps(stage.lab)).toBe(0)
    // Who takes a voter away while another one boots has done it himself.
    if (what !== 'somebody switches a control plane off') expect(stage.lab.availability.etcdOutages()).toEqual([])
  },
)
