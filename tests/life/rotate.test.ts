import { afterEach, expect, test } from 'vitest'
import type { RotatedCa } from '../../src/cluster/rotation.js'
import { byHand } from '../support/by-hand.js'
import { aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { lettingIn, secretsNow, stoppedAfterWrite } from '../support/rotations.js'
import { standingCluster } from '../support/standing-cluster.js'
import { problemsAfterRotation } from '../support/trust-in.js'
import { rotate } from '../support/verbs.js'
import { watchWorkload } from '../support/watched-workload.js'

const vip = '10.0.10.5'
const topology = aTopology({ hosts: 3 })
const yaml = clusterYaml({ controlPlanes: 3, workers: 3, extra: 'secrets: plain\n' })
const files = { 'cluster.yaml': yaml.replace('10.0.10.254', `10.0.10.254\n  vip: ${vip}`) }

const cluster = standingCluster({ topology, files })
let stage: Stage
afterEach(() => stage.close())

const stories: { what: RotatedCa; place: 'os' | 'k8s'; asked: string[] }[] = [
  { what: 'talos-ca', place: 'os', asked: ['dev-cp-1', 'dev-wk-3'] },
  { what: 'kubernetes-ca', place: 'k8s', asked: ['dev-cp-1', 'dev-cp-3'] },
]

/** Of a CA that pods read, it is known which of them read the old one. */
const podsOf = { 'talos-ca': {}, 'kubernetes-ca': { podsUntil: expect.stringMatching(/^2\d{3}-.*Z$/) } }

test.each(stories)(
  '$what is rotated: old access is refused, new access works, nobody waits for long',
  async (story) => {
    const { what, place, asked } = story
    stage = await cluster.open({ speed: what === 'talos-ca' ? 50 : 10 })
    const before = (await secretsNow(stage)).bundle
    const workload = await watchWorkload(stage, vip)
    await stage.up({ change: rotate(what), signal: AbortSignal.timeout(600_000) })

    const { bundle: after, memory } = await secretsNow(stage)
    expect({ ...after, certs: { ...after.certs, [place]: before.certs[place] } }).toEqual(before)
    expect(after.certs[place]).not.toEqual(before.certs[place])
    expect(memory.rotation).toEqual({ what, phase: 'done', run: expect.any(String), ...podsOf[what] })
    const [isOldLetIn, isNewLetIn] = [await lettingIn(stage, what, before), await lettingIn(stage, what, after)]
    for (const machine of asked) expect([await isOldLetIn(machine), await isNewLetIn(machine)]).toEqual([false, true])
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    workload.kept({
      controlPlanes: { machines: ['dev-cp-1', 'dev-cp-2', 'dev-cp-3'], maxAway: 1 },
      workers: { machines: ['dev-wk-1', 'dev-wk-2', 'dev-wk-3'], maxAway: 1 },
    })
  },
)

test('the same authority is rotated twice: the second time is no older file of the first', async () => {
  stage = await cluster.open()
  await stage.up({ change: rotate('talos-ca') })
  const once = (await secretsNow(stage)).bundle.certs.os
  expect(await stage.up({ change: rotate('talos-ca') })).toMatchObject({ outcome: 'done' })
  expect((await secretsNow(stage)).bundle.certs.os).not.toEqual(once)
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('both authorities are rotated: the nodes end as those of talosctl rotate-ca do', async () => {
  stage = await cluster.open()
  const { os, k8s } = (await secretsNow(stage)).bundle.certs
  for (const what of ['talos-ca', 'kubernetes-ca'] as const) await stage.up({ change: rotate(what) })
  const { world, signal } = await byHand(stage)
  const { machines } = await stage.inventory()
  const configs = await Promise.all(
    machines.map(({ name, address = '' }) =>
      world.talos.node({ machine: name, address }).resources.machineConfig(signal),
    ),
  )
  expect(problemsAfterRotation(configs, { talos: os.crt, kubernetes: k8s.crt })).toEqual([])
})

test('the plan shows every phase, and consent is asked for once', async () => {
  stage = await cluster.open()
  const titles: string[] = []
  const confirm = async ({ steps }: { steps: readonly { title: string; machine?: string; changes: boolean }[] }) => {
    titles.push(...steps.flatMap(({ title, machine, changes }) => (changes && machine === undefined ? [title] : [])))
    return false
  }
  expect(await stage.up({ change: rotate('talos-ca'), confirm })).toMatchObject({ outcome: 'declined' })
  expect(titles).toEqual([
    'keep a new key for the Talos CA in the secrets',
    'check the Talos CA: every node accepts the new key: use it from now on',
    'check the Talos CA: every node uses the new key: no longer accept the old one',
    'check the Talos CA: no node accepts the old key: remove it from the secrets',
  ])
  expect((await secretsNow(stage)).memory.rotation).toBeUndefined()
})

test.each(stories)(
  '$what, stopped after each phase was written: nobody is locked out, and the next run continues',
  async (story) => {
    const { what, place } = story
    stage = await cluster.open()
    const before = (await secretsNow(stage)).bundle
    const phases: (string | undefined)[] = []
    for (let run = 1; run <= 4; run++) {
      const change = rotate(what)
      await stage.up({ change, ...stoppedAfterWrite(1) }).catch(() => undefined)
      phases.push((await secretsNow(stage)).memory.rotation?.phase)
      // Whoever only looks, or runs `up` in between, gets in and goes no further.
      expect(await stage.up()).toMatchObject({
        outcome: expect.stringMatching(/done|nothing-to-do/),
      })
      expect((await secretsNow(stage)).memory.rotation?.phase).toBe(phases.at(-1))
    }
    expect(phases).toEqual(['accept', 'issue', 'drop', 'done'])
    expect((await secretsNow(stage)).bundle.certs[place]).not.toEqual(before.certs[place])
    expect(await (await lettingIn(stage, what, before))('dev-cp-2')).toBe(false)
  },
)

test('refused while a node is unseen, and nothing is written', async () => {
  stage = await cluster.open()
  const hand = await byHand(stage)
  await hand.stop('dev-wk-2')
  await expect(stage.up({ change: rotate('talos-ca') })).rejects.toMatchObject({
    message: 'Keys are rotated only while every node is seen: dev-wk-2 is off.',
    fix: expect.stringContaining('ichor up'),
  })
  expect((await secretsNow(stage)).memory.rotation).toBeUndefined()
})

test('it does not go on while a node is unseen, and another rotation does not begin', async () => {
  stage = await cluster.open()
  await stage.up({ change: rotate('talos-ca'), ...stoppedAfterWrite(2) }).catch(() => undefined)
  const hand = await byHand(stage)
  await hand.stop('dev-wk-2')
  const calls = mutatingCalls(stage.lab).length
  await expect(stage.up({ change: rotate('talos-ca') })).rejects.toThrow('dev-wk-2 is off')
  await expect(stage.up({ change: rotate('kubernetes-ca') })).rejects.toMatchObject({
    message: 'A rotation of the Talos CA is not finished.',
    fix: expect.stringContaining('ichor secrets rotate talos-ca'),
  })
  expect(mutatingCalls(stage.lab)).toHaveLength(calls)
  expect((await secretsNow(stage)).memory.rotation?.phase).toBe('issue')
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  await stage.up({ change: rotate('talos-ca') })
  expect((await secretsNow(stage)).memory.rotation?.phase).toBe('done')
})
