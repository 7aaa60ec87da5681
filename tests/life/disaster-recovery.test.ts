import { readFileSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectsInEtcd } from '../support/etcd-objects.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aConfigMap, aProgram, type Program, type Ran } from '../support/program.js'

/** Every story of docs/disaster-recovery.md happens, and its commands are run as they stand there. */
const page = readFileSync('docs/disaster-recovery.md', 'utf8')
const exampleName = 'dev-20261115T120000Z-1a2b3c4d'

let program: Program
let snapshot: string
/** What a control plane answers to whoever has a talosconfig, with or without the age key. */
let configOfFirst: string

beforeAll(async () => {
  const options = { topology: aTopology({ hosts: 3 }), speed: 1000 }
  program = await aProgram({ 'cluster.yaml': clusterYaml({ workers: 1 }) }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await program.apply(aConfigMap('precious'))
  const { snapshot: taken } = (await program.ichor(['backup', '--json'])).json().at(-1) as {
    snapshot: { name: string }
  }
  snapshot = taken.name
}, 600_000)
afterAll(() => program.close())

/** The lines of each block below a heading, without their comments. */
function blocksBelow(heading: string): string[][] {
  const [, story = ''] = page.split(`## ${heading}\n`)
  const [own = ''] = story.split('\n## ')
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '')),
  )
}

const asking = new Set(['up', 'restore', 'replace', 'destroy'])

/** Runs the lines of a block one after the other, with the real name of the snapshot; people would be asked. */
async function follow(heading: string, block = 0): Promise<Ran[]> {
  const lines = blocksBelow(heading)[block] ?? []
  expect(lines.length).toBeGreaterThan(0)
  const ran: Ran[] = []
  for (const line of lines) {
    const [command, ...words] = line.replace(exampleName, snapshot).split(/\s+/)
    if (command !== 'ichor') await byHand(line)
    else ran.push(await program.ichor([...words, ...(isAsked(words) ? ['--yes'] : [])]))
  }
  return ran
}

function isAsked(words: readonly string[]): boolean {
  return asking.has(words[0] ?? '') && !words.includes('--dry-run')
}

const labName = (name: string) => name.replace('.', '.lab.')

/** What the commands of others do: a lab has a secrets file of its own name. */
async function byHand(line: string): Promise<void> {
  const [command, ...words] = line.split(/\s+/)
  const paths = words.map((name) => join(program.folder, name.replace(/^secrets\.sops/, labName)))
  const talosctl = /^talosctl -n (\S+) get machineconfig v1alpha1 -o jsonpath='{.spec}' > (\S+)$/.exec(line)
  if (command === 'mv') return rename(paths[0] ?? '', paths[1] ?? '')
  if (command === 'rm') return rm(paths[0] ?? '')
  const [, address, file = ''] = talosctl ?? []
  expect(address).toBe('10.0.10.10')
  await writeFile(join(program.folder, file), configOfFirst)
}

const codes = (ran: readonly Ran[]) => ran.map(({ code }) => code)

async function loseVms(...names: string[]): Promise<void> {
  const { world } = await program.connect()
  const signal = AbortSignal.timeout(200_000)
  const { guests } = await world.proxmox.cluster.resources(signal)
  for (const { host, vmid } of guests.filter(({ name }) => names.includes(name ?? ''))) {
    await world.proxmox.tasks.wait(await world.proxmox.machines.stop({ host, vmid }, signal), signal)
    await world.proxmox.tasks.wait(await world.proxmox.machines.remove({ host, vmid }, signal), signal)
  }
}

async function restartVm(name: string): Promise<void> {
  const { world } = await program.connect()
  const signal = AbortSignal.timeout(200_000)
  const { guests } = await world.proxmox.cluster.resources(signal)
  for (const vm of guests.filter((guest) => guest.name === name)) {
    await world.proxmox.tasks.wait(await world.proxmox.machines.stop(vm, signal), signal)
    await world.proxmox.tasks.wait(await world.proxmox.machines.start(vm, signal), signal)
  }
}

async function isComplete(): Promise<void> {
  expect((await objectsInEtcd((await program.connect()).world)).has('/registry/configmaps/default/precious')).toBe(true)
  const [status] = (await program.ichor(['status', '--json'])).json()
  expect(status).toMatchObject({ healthy: true, etcd: { members: 3, healthy_members: 3 } })
}

test('one control plane is lost', async () => {
  await loseVms('dev-cp-2')
  expect(codes(await follow('One control plane is lost'))).toEqual([4, 0])
  await isComplete()
})

test('an expired certificate: yours, one of a node that a restart renews, one of a node that is made again', async () => {
  const { talos } = program.lab().lab
  const expire = () => talos.expireCertificate(talos.machines().find(({ name }) => name === 'dev-cp-1')?.uuid ?? '')
  expect(codes(await follow('An expired certificate'))).toEqual([0, 0])

  await expire()
  expect((await program.ichor(['up', '--yes'])).stderr).toMatch(/its certificate has expired/)
  await restartVm('dev-cp-1')
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })

  await expire()
  expect((await program.ichor(['up', '--yes'])).stderr).toMatch(/its certificate has expired/)
  expect(codes(await follow('An expired certificate', 1))).toEqual([0])
  const [shown] = await follow('An expired certificate', 2)
  expect(shown?.stdout).toMatch(/^etcd +20\d\d-\d\d-\d\d$/m)
  await isComplete()
})

test('a bad change', async () => {
  await program.apply(aConfigMap('mistake'))
  const ran = await follow('A bad upgrade, a bad change, objects deleted by mistake')
  expect(codes(ran)).toEqual([0, 0])
  expect(ran[0]?.stdout).toContain('configmaps default/mistake')
  expect((await objectsInEtcd((await program.connect()).world)).has('/registry/configmaps/default/mistake')).toBe(false)
  await isComplete()
})

test('a majority of the control planes is lost', async () => {
  await loseVms('dev-cp-1', 'dev-cp-2')
  expect(codes(await follow('A majority of the control planes is lost'))).toEqual([0, 0, 0])
  await isComplete()
})

test('a Proxmox host is dead, and comes back', async () => {
  await program.lab().lab.proxmox.setHostOnline('pve3', false)
  const [status, capacity, up] = await follow('A Proxmox host is dead')
  expect(status).toMatchObject({ code: 4, stdout: expect.stringContaining('pve3') })
  expect(capacity?.stdout).toContain('dev-cp-3')
  expect(up).toMatchObject({ code: 1, stderr: expect.stringContaining('dev is incomplete') })
  await program.lab().lab.proxmox.setHostOnline('pve3', true)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await isComplete()
})

test('everything is lost', async () => {
  await program.loseEverything()
  expect(codes(await follow('All control planes are lost, or everything is'))).toEqual([0])
  await isComplete()
})

test('the Proxmox cluster is dead: another one, with other hosts and storages', async () => {
  const there = aTopology({ hosts: 3 })
  const rename = (name: string) => name.replace('pve', 'node')
  const topology = {
    ...there,
    hosts: there.hosts.map((host) => ({ ...host, name: rename(host.name) })),
    storages: there.storages.map((one) => (one.id === 'local-lvm' ? { ...one, id: 'tank' } : one)),
  }
  await program.loseEverything({ topology, speed: 1000 })
  const yaml = clusterYaml({ workers: 1 }).replace('local-lvm', 'tank')
  await writeFile(join(program.folder, 'cluster.yaml'), yaml)
  expect(codes(await follow('The Proxmox cluster is dead'))).toEqual([0])
  await isComplete()
})

const keyFile = () => join(program.folder, 'sops', 'age', 'keys.txt')
const lost = 'The age key is lost'

/** A new key at the usual place, and its public half. */
async function makeKey(): Promise<string> {
  const key = await generateX25519Identity()
  await writeFile(keyFile(), `${key}\n`, { mode: 0o600 })
  return identityToRecipient(key)
}

async function writeRule(...recipients: string[]): Promise<void> {
  const rule = `creation_rules:\n  - { path_regex: 'secrets.*', age: '${recipients.join(',')}' }\n`
  await writeFile(join(program.folder, '.sops.yaml'), rule)
}

test('the age key is lost, and somebody else is a recipient', async () => {
  const mine = identityToRecipient(/^AGE-SECRET-KEY-\S+/m.exec(await readFile(keyFile(), 'utf8'))?.[0] ?? '')
  const colleague = await generateX25519Identity()
  await writeRule(await mine, await identityToRecipient(colleague))
  expect(await program.ichor(['secrets', 'rekey'])).toMatchObject({ code: 0 })

  await rm(keyFile())
  const [status] = await follow(lost)
  expect(status).toMatchObject({ code: 1, stderr: expect.stringMatching(/No age key was found\. .*age1/) })
  await writeRule(await makeKey(), await identityToRecipient(colleague))
  const rekey = (blocksBelow(lost)[1]?.[0] ?? '').split(' ').slice(1)
  expect(await program.ichor(rekey, { SOPS_AGE_KEY: colleague })).toMatchObject({ code: 0 })
  await isComplete()
})

test('the age key is lost, nobody else has one, and the cluster runs: its own config brings the secrets back', async () => {
  const [before] = (await program.ichor(['secrets', 'show', '--json'])).json()
  const { talos } = (await program.connect()).world
  const first = talos.node({ machine: 'dev-cp-1', address: '10.0.10.10' })
  configOfFirst = await first.resources.machineConfig(AbortSignal.timeout(20_000))
  await rm(keyFile())
  await writeRule(await makeKey())
  expect(codes(await follow(lost, 2))).toEqual([0, 0, 0])
  const [after] = (await program.ichor(['secrets', 'show', '--json'])).json()
  expect(after).toMatchObject({ cluster: before?.cluster, bootstrapped: true, authorities: before?.authorities })
  await isComplete()
  expect(await program.ichor(['drill', '--offline'])).toMatchObject({ code: 0 })
  const old = await program.ichor(['drill', snapshot, '--offline', '--json'])
  expect(old.json().at(-1)).toMatchObject({ error: { code: 'snapshot-undecryptable' } })
})

test('the age key is lost, and nothing else opens the cluster: it goes without proof, and a new one is made', async () => {
  await rm(keyFile())
  await writeRule(await makeKey())
  expect(codes(await follow(lost, 3))).toEqual([0, 0])
  const objects = await objectsInEtcd((await program.connect()).world)
  expect(objects.has('/registry/configmaps/default/precious')).toBe(false)
  const [status] = (await program.ichor(['status', '--json'])).json()
  expect(status).toMatchObject({ healthy: true, etcd: { members: 3, healthy_members: 3 } })
})
