import { afterEach, expect, test } from 'vitest'
import type { KubernetesObject } from '../../src/kubernetes/port.js'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { lettingIn, secretsNow, stoppedAfterWrite, takingTokens } from '../support/rotations.js'
import { standingCluster } from '../support/standing-cluster.js'
import { rotate } from '../support/verbs.js'
import { watchWorkload } from '../support/watched-workload.js'

/** Contract v1.14: what has room for a second key is in documents of its own. */
const vip = '10.0.10.5'
const topology = aTopology({ hosts: 3 })
const files = {
  'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 3, extra: 'secrets: plain\n' })
    .replace('v1.13.9', 'v1.14.1')
    .replace('10.0.10.254', `10.0.10.254\n  vip: ${vip}`),
}
const controlPlanes = ['dev-cp-1', 'dev-cp-2', 'dev-cp-3']

const cluster = standingCluster({ topology, files })
let stage: Stage
afterEach(() => stage.close())

/** The same cluster goes on at another speed. */
async function atSpeed(speed: number): Promise<void> {
  const { lab, folder } = stage
  const resume = lab.save()
  await stage.close()
  stage = await aStage({ speed, topology, files, folder, resume })
}

const secretKind = { apiVersion: 'v1', kind: 'Secret' }

function aSecret(name: string, more: object = {}): KubernetesObject {
  return { ...secretKind, metadata: { name, namespace: 'default' }, data: { word: 'c2VjcmV0' }, ...more }
}

async function keepSecrets(...secrets: KubernetesObject[]): Promise<void> {
  const { world, signal } = await byHand(stage)
  await world.kubernetes.at([{ host: vip, port: 6443 }]).apply(secrets, { fieldManager: 'test', force: true }, signal)
}

/** The names of all Secrets as each API server reads them. */
async function readSecrets(): Promise<string[][]> {
  const { world, signal } = await byHand(stage)
  const { machines } = await stage.inventory()
  const asked = machines.filter(({ role }) => role === 'controlplane')
  return Promise.all(
    asked.map(async ({ address = '' }) => {
      const found = await world.kubernetes.at([{ host: address, port: 6443 }]).list(secretKind, undefined, {}, signal)
      return found.map(({ metadata }) => metadata.name ?? '').sort()
    }),
  )
}

function refusedPods(): string[] {
  return stage.lab.ledger.entries().flatMap(({ event, subject }) => (event === 'pod.token-refused' ? [subject] : []))
}

const pools = {
  controlPlanes: { machines: controlPlanes, maxAway: 1 },
  workers: { machines: ['dev-wk-1', 'dev-wk-2', 'dev-wk-3'], maxAway: 1 },
}

test.each([
  { what: 'talos-ca', speed: 50 },
  { what: 'kubernetes-ca', speed: 4 },
] as const)('$what is rotated, and nobody waits for long', async ({ what, speed }) => {
  stage = await cluster.open({ speed })
  const before = (await secretsNow(stage)).bundle
  const workload = await watchWorkload(stage, vip)
  await stage.up({ change: rotate(what), signal: AbortSignal.timeout(600_000) })
  workload.kept(pools)
  const { bundle: after } = await secretsNow(stage)
  const [isOldLetIn, isNewLetIn] = [await lettingIn(stage, what, before), await lettingIn(stage, what, after)]
  expect([await isOldLetIn('dev-cp-2'), await isNewLetIn('dev-cp-2')]).toEqual([false, true])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('service-account-key is rotated: no pod holds a token that is refused, and old tokens are refused in the end', async () => {
  stage = await cluster.open({ speed: 500 })
  const before = (await secretsNow(stage)).bundle
  await stage.up({ change: rotate('service-account-key'), signal: AbortSignal.timeout(600_000) })

  const { bundle: after, memory } = await secretsNow(stage)
  expect({ ...after, certs: { ...after.certs, k8sserviceaccount: before.certs.k8sserviceaccount } }).toEqual(before)
  expect(after.certs.k8sserviceaccount).not.toEqual(before.certs.k8sserviceaccount)
  expect(memory.rotation).toMatchObject({ what: 'service-account-key', phase: 'done' })
  const isOldTaken = await takingTokens(stage, before)
  const isNewTaken = await takingTokens(stage, after)
  for (const machine of controlPlanes)
    expect([await isOldTaken(machine), await isNewTaken(machine)]).toEqual([false, true])
  expect(refusedPods()).toEqual([])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('service-account-key is rotated, and nobody waits for long', async () => {
  stage = await cluster.open({ speed: 10 })
  const untilRenewal = await watchWorkload(stage, vip)
  await stage.up({ change: rotate('service-account-key'), ...stoppedAfterWrite(3) }).catch(() => undefined)
  expect((await secretsNow(stage)).memory.rotation?.phase).toBe('renew')
  untilRenewal.kept(pools)
  // Pods renew their tokens within the hour, and nothing restarts meanwhile.
  await atSpeed(500)
  await stage.up({ change: rotate('service-account-key'), ...stoppedAfterWrite(1) }).catch(() => undefined)
  expect((await secretsNow(stage)).memory.rotation?.phase).toBe('drop')
  await atSpeed(10)
  const afterRenewal = await watchWorkload(stage, vip)
  await stage.up({ change: rotate('service-account-key'), signal: AbortSignal.timeout(600_000) })
  expect((await secretsNow(stage)).memory.rotation?.phase).toBe('done')
  afterRenewal.kept(pools)
})

test('etcd-encryption-key is rotated: every Secret can be read all the time, and none lies under the old key', async () => {
  stage = await cluster.open({ speed: 10 })
  await keepSecrets(aSecret('one'), aSecret('two'))
  const before = (await secretsNow(stage)).bundle
  const workload = await watchWorkload(stage, vip)
  const [names] = await readSecrets()
  await stage.up({ change: rotate('etcd-encryption-key'), signal: AbortSignal.timeout(600_000) })

  const { bundle: after, memory } = await secretsNow(stage)
  expect({ ...after, secrets: before.secrets }).toEqual(before)
  expect(after.secrets.secretboxencryptionsecret).not.toBe(before.secrets.secretboxencryptionsecret)
  expect(memory.rotation).toMatchObject({ what: 'etcd-encryption-key', phase: 'done' })
  expect(names).toEqual(expect.arrayContaining(['one', 'two']))
  expect(await readSecrets()).toEqual([names, names, names])
  workload.kept(pools)
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test.each(['service-account-key', 'etcd-encryption-key'] as const)(
  '%s, stopped after each phase was written: nothing is lost, and the next run continues',
  async (what) => {
    stage = await cluster.open()
    await keepSecrets(aSecret('one'))
    const phases: (string | undefined)[] = []
    for (let run = 1; run <= 5; run++) {
      await stage.up({ change: rotate(what), ...stoppedAfterWrite(1) }).catch(() => undefined)
      phases.push((await secretsNow(stage)).memory.rotation?.phase)
      expect(await stage.up()).toMatchObject({ outcome: expect.stringMatching(/done|nothing-to-do/) })
      expect((await secretsNow(stage)).memory.rotation?.phase).toBe(phases.at(-1))
      // Written with the key of this phase, and read by every API server.
      await keepSecrets(aSecret(`in-${phases.at(-1)}`))
      for (const names of await readSecrets())
        expect(names).toEqual(expect.arrayContaining(['one', `in-${phases.at(-1)}`]))
    }
    expect(phases).toEqual(['accept', 'issue', 'renew', 'drop', 'done'])
    expect(refusedPods()).toEqual([])
  },
)

test('the plan shows what is done to Secrets before the old key is forgotten', async () => {
  stage = await cluster.open()
  const titles: string[] = []
  const confirm = async ({ steps }: { steps: readonly { title: string; machine?: string; changes: boolean }[] }) => {
    titles.push(...steps.flatMap(({ title, machine, changes }) => (changes && machine === undefined ? [title] : [])))
    return false
  }
  await stage.up({ change: rotate('etcd-encryption-key'), confirm })
  expect(titles).toEqual([
    'keep a new key for the key of the Secrets in etcd in the secrets',
    'check the key of the Secrets in etcd: every node accepts the new key: use it from now on',
    'check the key of the Secrets in etcd: every node uses the new key: have the Secrets written again',
    'write all Secrets again, with the new key',
    'check the key of the Secrets in etcd: nothing is left of the old key: no longer accept it',
    'check the key of the Secrets in etcd: no node accepts the old key: remove it from the secrets',
  ])
})

test('a token that is kept in a Secret stops the rotation before it is refused', async () => {
  stage = await cluster.open()
  const { world, signal } = await byHand(stage)
  const api = world.kubernetes.at([{ host: vip, port: 6443 }])
  const token = await api.requestToken('default', 'default', signal)
  const kept = { type: 'kubernetes.io/service-account-token', data: { token: Buffer.from(token).toString('base64') } }
  await keepSecrets(aSecret('robot', kept))
  await expect(stage.up({ change: rotate('service-account-key') })).rejects.toThrow(
    'A Secret holds a token of the old key, which Kubernetes does not replace: default/robot.',
  )
  expect((await secretsNow(stage)).memory.rotation?.phase).toBe('renew')
  await api.delete(secretKind, 'default', 'robot', signal)
  await stage.up({ change: rotate('service-account-key') })
  expect((await secretsNow(stage)).memory.rotation?.phase).toBe('done')
})

test('refused while a node is unseen, and nothing is written', async () => {
  stage = await cluster.open()
  const hand = await byHand(stage)
  await hand.stop('dev-cp-3')
  const calls = mutatingCalls(stage.lab).length
  await expect(stage.up({ change: rotate('etcd-encryption-key') })).rejects.toThrow('only while every node is seen')
  expect(mutatingCalls(stage.lab)).toHaveLength(calls)
  expect((await secretsNow(stage)).memory.rotation).toBeUndefined()
})
