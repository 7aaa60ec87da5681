import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStage, clusterYaml, mutatingCalls, type Stage } from '../../tests/support/lab.js'
import { seen } from '../cluster/seen.js'
import type { KubernetesObject } from '../kubernetes/port.js'
import { curesOf } from './cures.js'
import { inspect } from './doctor.js'

const GiB = 1024 ** 3
const minute = 60_000
const signal = new AbortController().signal
const stages: Stage[] = []
async function aCluster() {
  const made = await aStage({ files: { 'cluster.yaml': clusterYaml() } })
  stages.push(made)
  await made.up()
  return made
}
afterAll(async () => {
  await Promise.all(stages.map((stage) => stage.close()))
})

async function doctor(stage: Stage) {
  const { world } = await stage.connect()
  const inventory = await stage.inventory()
  const beside = Promise.resolve({ expiries: [], backup: seen({}) })
  return inspect({ inventory, world, env: {} }, beside, signal)
}

/** The snapshot that is missing everywhere here is left out, and that `up` would repair something. */
const omitted = new Set(['ICH0902', 'ICH0328'])
async function found(stage: Stage): Promise<string[]> {
  const { examination } = await doctor(stage)
  return examination.findings
    .filter(({ code }) => !omitted.has(code))
    .map(({ code, subject }) => `${code} ${subject.name}`)
}

async function fixed(stage: Stage, what?: string) {
  const { facts, examination } = await doctor(stage)
  return stage.cure(curesOf(examination.findings, what, facts).cures, { forceUnlock: true })
}

async function hands(stage: Stage) {
  const { world } = await stage.connect()
  const uuidOf = (name: string) => stage.lab.talos.machines().find((machine) => machine.name === name)?.uuid ?? ''
  const guests = (await world.proxmox.cluster.resources(signal)).guests
  const vmOf = (name: string) => {
    const vm = guests.find((one) => one.name === name)
    if (vm === undefined) throw new Error(`There is no VM ${name}.`)
    return vm
  }
  const kubernetes = world.kubernetes.at([{ host: '10.0.10.10', port: 6443 }])
  const apply = (...objects: readonly KubernetesObject[]) =>
    kubernetes.apply(objects, { fieldManager: 'somebody', force: true }, signal)
  const { machines } = world.proxmox
  const set = async (name: string, options: Readonly<Record<string, string>>) => {
    await machines.setOptions(vmOf(name), { set: options }, signal)
  }
  return { uuidOf, kubernetes, apply, set }
}

let healthy: Stage
beforeAll(async () => {
  healthy = await aCluster()
})

test('nothing is found in a healthy cluster, and everything is seen', async () => {
  expect(await found(healthy)).toEqual([])
  expect((await doctor(healthy)).examination.unknown).toEqual([])
})

test('defects of hosts, machines and nodes are found where they were planted', async () => {
  const stage = await aCluster()
  const { proxmox, talos } = stage.lab
  const { uuidOf, set } = await hands(stage)
  proxmox.trouble.fillMetadata('pve2', 'local-lvm', 0.95)
  proxmox.trouble.useSwap('pve2', GiB)
  talos.silenceAgent(uuidOf('dev-wk-1'))
  talos.corruptDatagrams(uuidOf('dev-wk-1'), 5000)
  talos.clockSkew(uuidOf('dev-wk-2'), -10 * minute)
  await set('dev-wk-2', { boot: 'order=net0' })
  expect((await found(stage)).toSorted()).toEqual([
    'ICH0202 pve2/pve/data',
    'ICH0206 pve2',
    'ICH0314 dev-wk-1',
    'ICH0318 dev-wk-2',
    'ICH0319 dev-wk-2',
    'ICH0401 dev-wk-2',
    'ICH0407 dev-wk-1',
  ])
})

test('defects of etcd are found at their member', async () => {
  const stage = await aCluster()
  const { talos } = stage.lab
  const { uuidOf } = await hands(stage)
  for (const _ of [1, 2, 3]) talos.slowEtcd(uuidOf('dev-cp-2'), 1500)
  talos.slowEtcd(uuidOf('dev-cp-2'), 0)
  talos.etcdAlarm(uuidOf('dev-cp-3'), 'nospace')
  talos.growEtcd(uuidOf('dev-cp-1'), 1900 * 1024 ** 2)
  expect(await found(stage)).toEqual(
    expect.arrayContaining(['ICH0502 dev-cp-3', 'ICH0503 dev-cp-1', 'ICH0508 dev-cp-2']),
  )
})

test.each([3, 5, 7])(
  '--fix, killed at its change %i, is found again by the next one, and then nothing is left',
  async (nthMutating) => {
    const { talos, faults } = healthy.lab
    const { uuidOf, kubernetes } = await hands(healthy)
    talos.growEtcd(uuidOf('dev-cp-1'), 900 * 1024 ** 2)
    talos.etcdAlarm(uuidOf('dev-cp-3'), 'nospace')
    await kubernetes.cordon('dev-wk-1', signal)
    expect(await found(healthy)).toEqual(expect.arrayContaining(['ICH0502 dev-cp-3', 'ICH0609 dev-wk-1']))
    faults.add({ match: { nthMutating }, action: { kind: 'kill-caller' } })
    await expect(fixed(healthy)).rejects.toThrow()
    faults.clear()
    await fixed(healthy)
    expect(await found(healthy)).toEqual([])
  },
)

test('a cure touches only what it is for', async () => {
  const stage = healthy
  const { talos } = stage.lab
  const { uuidOf, kubernetes } = await hands(stage)
  talos.growEtcd(uuidOf('dev-cp-1'), 900 * 1024 ** 2)
  await kubernetes.cordon('dev-wk-1', signal)
  const before = mutatingCalls(stage.lab).length
  await fixed(stage, 'dev-wk-1')
  expect(
    mutatingCalls(stage.lab)
      .slice(before)
      .filter((call) => call.startsWith('talos')),
  ).toEqual([])
  expect(await found(stage)).toEqual(['ICH0507 dev-cp-1', 'ICH0507 dev-cp-2', 'ICH0507 dev-cp-3'])
  await fixed(stage, 'ich0507')
  expect(await found(stage)).toEqual([])
})

test('defects of Kubernetes are found at their object', async () => {
  const stage = await aCluster()
  const { kubernetes, apply } = await hands(stage)
  await apply(
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'policies' },
      webhooks: [
        {
          name: 'policies.example.org',
          clientConfig: { service: { namespace: 'policies', name: 'gone' } },
          failurePolicy: 'Fail',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'cilium', namespace: 'kube-system' },
      spec: {
        selector: { matchLabels: { app: 'cilium' } },
        template: {
          metadata: { labels: { app: 'cilium' } },
          spec: { nodeSelector: { never: 'true' }, containers: [{ name: 'agent', image: 'cilium' }] },
        },
      },
    },
  )
  await kubernetes.cordon('dev-wk-1', signal)
  await kubernetes.setNodeTaints(
    'dev-wk-2',
    [{ key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' }],
    signal,
  )
  expect((await found(stage)).toSorted()).toEqual([
    'ICH0608 policies',
    'ICH0609 dev-wk-1',
    'ICH0610 dev',
    'ICH0614 dev-wk-2',
  ])
})

test.each([
  { cut: 'Talos', match: { surface: 'talos', path: '.*' }, unknown: 'dev-wk-1' },
  { cut: 'Kubernetes', match: { surface: 'kubernetes', path: '.*' }, unknown: 'Kubernetes' },
] as const)('with $cut cut off, what depends on it is unknown', async ({ match, unknown }) => {
  healthy.lab.faults.add({
    match,
    action: { kind: 'status', status: 503, message: 'no' },
    times: Number.POSITIVE_INFINITY,
  })
  const { unknown: blind } = (await doctor(healthy)).examination
  healthy.lab.faults.clear()
  expect(blind.map(({ what }) => what)).toContain(unknown)
})
