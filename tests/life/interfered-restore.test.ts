import { afterEach, beforeEach, expect, test } from 'vitest'
import { byHand, type Hand, moveWorker } from '../support/by-hand.js'
import { objectsInEtcd } from '../support/etcd-objects.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { bootstrapsAmong } from '../support/left-behind.js'
import { aConfigMap, aProgram, type Program } from '../support/program.js'

let program: Program
let snapshot: string
beforeEach(async () => {
  const options = { topology: aTopology({ hosts: 3 }), speed: 1500 }
  program = await aProgram({ 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 2 }) }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await program.apply(aConfigMap('precious'))
  const taken = (await program.ichor(['backup', '--json'])).json().at(-1) as { snapshot: { name: string } }
  snapshot = taken.snapshot.name
}, 180_000)
afterEach(() => program.close())

/** What happens while etcd is restored. Gives whether it really happened. */
const interferences: Readonly<Record<string, (hand: Hand) => Promise<() => boolean>>> = {
  'somebody moves a worker': async (hand) => {
    const host = await moveWorker(hand)
    return () => host !== undefined
  },
  'somebody switches a control plane off': async (hand) => {
    await hand.stop('dev-cp-3')
    return () => true
  },
  'a host cannot be read for a while': async () => {
    const { faults } = program.lab().lab
    const match = { surface: 'proxmox', host: 'pve2' } as const
    faults.add({ match, action: { kind: 'status', status: 595, message: 'No route to host' }, times: 60 })
    return () => faults.list().some(({ hits }) => hits > 0)
  },
}

/** Starts when nodes were asked to change something for the nth time. */
function atChange<T>(nth: number, interfere: () => Promise<T>): () => Promise<T | undefined> {
  let changes = 0
  let running: Promise<T> | undefined
  program.lab().lab.ledger.onRecord(({ surface, event, mutating }) => {
    if (surface === 'talos' && event === 'call' && mutating && ++changes === nth) running = interfere()
  })
  return async () => running
}

const stories = Object.keys(interferences).map((what, index) => ({ what, at: 1 + 2 * index }))

test.each(stories)(
  'restore, and at change $at of a node $what: the next one finishes it, nothing is lost and no other etcd is made',
  async ({ what, at }) => {
    const { lab } = program.lab()
    const hand = await byHand({ connect: program.connect, lab })
    const before = lab.ledger.entries().length
    const interfered = atChange(at, async () => interferences[what]?.(hand))
    const words = ['restore', snapshot, '--over-healthy', '--yes']
    const first = await program.ichor(words, {}, AbortSignal.timeout(120_000))
    expect((await interfered())?.(), `${what}; restore ended with ${first.code}: ${first.stderr}`).toBe(true)
    lab.faults.clear()
    if (first.code !== 0) {
      const again = await program.ichor([...words, '--gone', '--force-unlock'], {}, AbortSignal.timeout(120_000))
      expect(again.code, again.stderr).toBe(0)
    }
    expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
    const settled = await program.ichor(['up', '--yes'])
    expect(settled).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to do') })
    expect((await objectsInEtcd((await program.connect()).world)).has('/registry/configmaps/default/precious')).toBe(
      true,
    )
    // Each run of the verb makes etcd from the snapshot, once; `up` never does.
    expect(bootstrapsAmong(lab.ledger.entries().slice(before))).toBeLessThanOrEqual(first.code === 0 ? 1 : 2)
  },
  300_000,
)
