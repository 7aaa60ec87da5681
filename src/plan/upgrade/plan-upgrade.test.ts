import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { aWorld, carriedOut, planOf, specFor, stepNames } from '../../../tests/support/worlds.js'
import { seen, unseen } from '../../cluster/seen.js'
import type { Observed } from '../../observe/observed.js'
import type { Plan } from '../plan.js'

const hosts = ['pve1', 'pve2', 'pve3']

async function specOf({ talos, ...change }: Change, { controlPlanes = 3, workers = 4 } = {}) {
  return specFor(
    await anInventory({
      controlPlanes,
      workers,
      hosts,
      with: { talos_version: 'v1.12.4', ...change, talos: { contract: 'v1.12', ...talos } },
    }),
  )
}

type Change = Readonly<Record<string, unknown>> & { readonly talos?: Readonly<Record<string, unknown>> }

/** A cluster on Talos v1.12.4 and Kubernetes v1.35.4 with an etcd leader. */
async function aCluster(change: Change = {}): Promise<Observed> {
  const spec = await specOf(change)
  const empty = aWorld(hosts)
  let world: Observed = empty
  for (let round = 0; round < 3; round++) world = carriedOut(planOf(spec, world).steps, spec(world), world)
  expect(planOf(spec, world).steps).toEqual([])
  return world
}

function order({ steps }: Plan, kind: string): string[] {
  return stepNames(steps.filter((step) => step.kind === kind)).map((name) => name.split(':')[1] ?? '')
}

function running(world: Observed, versions: Readonly<Record<string, string>>): Observed {
  const machines = world.machines.map((machine) => {
    const version = versions[machine.name]
    const { talos } = machine
    return version === undefined || talos.reach !== 'secured' ? machine : { ...machine, talos: { ...talos, version } }
  })
  return { ...world, machines }
}

test('control planes go first, the leader of etcd last of them; then workers in turns of their pool', async () => {
  const world = await aCluster()
  const plan = planOf(await specOf({ talos_version: 'v1.12.11' }), world)
  const leader = world.etcd.seen ? world.etcd.value?.leader : undefined
  expect(order(plan, 'upgrade-machine').slice(0, 3).at(-1)).toBe(leader)
  expect(order(plan, 'upgrade-machine')).toHaveLength(7)
  const upgrades = plan.steps.filter(({ kind }) => kind === 'upgrade-machine')
  expect(upgrades.map(({ turn }) => turn?.name)).toEqual([
    ...Array.from({ length: 3 }, () => 'controlplane'),
    ...Array.from({ length: 4 }, () => 'pool:workers'),
  ])
  const kinds = plan.steps.map(({ kind }) => kind)
  expect(kinds.slice(0, 3)).toEqual(['confirm-health', 'snapshot-etcd', 'register-schematic'])
  expect(kinds.lastIndexOf('pull-image')).toBeLessThan(kinds.indexOf('upgrade-machine'))
  expect(kinds.at(-1)).toBe('check-health')
})

test('from 1.13 on the other slot is written before the drain; before that the node does it by itself', async () => {
  const world = await aCluster()
  const old = planOf(await specOf({ talos_version: 'v1.12.11' }), world)
  expect(order(old, 'install-talos')).toEqual([])
  const newer = { ...Object.fromEntries(world.machines.map(({ name }) => [name, 'v1.13.2'])) }
  const change = { talos_version: 'v1.13.9', kubernetes_version: 'v1.35.4' }
  const kinds = planOf(await specOf(change), running(world, newer)).steps.map(({ kind }) => kind)
  expect(kinds.indexOf('install-talos')).toBeLessThan(kinds.indexOf('drain-node'))
})

test('a far target is one roll after the other, with Kubernetes in between where its versions demand it', async () => {
  const world = await aCluster({ kubernetes_version: 'v1.31.1' })
  const releases = seen(['v1.13.0', 'v1.13.9', 'v1.14.1'])
  const change = { talos_version: 'v1.14.1', kubernetes_version: 'v1.32.0' }
  const plan = planOf(await specOf(change), { ...world, releases })
  const versions = plan.steps
    .filter(({ kind, machine }) => kind === 'upgrade-machine' && machine === 'dev-wk-1')
    .map(({ args }) => args.version)
  expect(versions).toEqual(['v1.13.9', 'v1.14.1'])
  const saved = plan.steps.filter(({ kind }) => kind === 'snapshot-etcd').map(({ args }) => args.kubernetes)
  expect(saved, 'what runs when each of them is taken').toEqual(['v1.31.1', 'v1.31.1', 'v1.32.0'])
})

test('an interrupted roll goes on where it stopped, without another snapshot', async () => {
  const world = running(await aCluster(), { 'dev-cp-2': 'v1.12.11', 'dev-wk-3': 'v1.12.11' })
  const plan = planOf(await specOf({ talos_version: 'v1.12.11' }), world)
  expect(order(plan, 'upgrade-machine').sort()).toEqual(['dev-cp-1', 'dev-cp-3', 'dev-wk-1', 'dev-wk-2', 'dev-wk-4'])
  expect(plan.steps.map(({ kind }) => kind)).not.toContain('snapshot-etcd')
})

// Seen after an interrupted `talosctl upgrade-k8s`: the plan said `v1.36.3 -> v1.36.3`.
test('each component of Kubernetes is named with the version that it has, also when others were moved by hand', async () => {
  const world = await aCluster({ kubernetes_version: 'v1.35.4' })
  const moved = (text: string) => text.replaceAll('kube-apiserver:v1.35.4', 'kube-apiserver:v1.35.5')
  const machines = world.machines.map((machine) => {
    const { talos } = machine
    return talos.reach === 'secured' && talos.config.seen
      ? { ...machine, talos: { ...talos, config: seen(moved(talos.config.value)) } }
      : machine
  })
  const plan = planOf(await specOf({ kubernetes_version: 'v1.35.5' }), { ...world, machines })
  const reasons = plan.steps.filter(({ kind }) => kind === 'upgrade-part').map(({ reason }) => reason)
  expect([...new Set(reasons)]).toEqual([
    'kube-controller-manager v1.35.4 -> v1.35.5',
    'kube-scheduler v1.35.4 -> v1.35.5',
    'kube-proxy v1.35.4 -> v1.35.5',
    'kubelet v1.35.4 -> v1.35.5',
  ])
})

test('nothing is upgraded while something is away, unseen or still to come', async () => {
  const world = await aCluster()
  const spec = await specOf({ talos_version: 'v1.12.11' })
  const first = (observed: Observed) => planOf(spec, observed).steps.filter(({ round }) => round === 1)
  const without = (part: Partial<Observed>) => first({ ...world, ...part }).map(({ kind }) => kind)
  expect(without({ etcd: unseen('no answer') })).not.toContain('upgrade-machine')
  expect(without({ kubernetes: unseen('no answer') })).not.toContain('upgrade-machine')
  const [one, ...others] = world.machines
  const silent = one && { ...one, talos: { reach: 'silent' as const, reason: 'no answer' } }
  expect(without({ machines: [...(silent ? [silent] : []), ...others] })).not.toContain('upgrade-machine')
  const larger = await specOf({ talos_version: 'v1.12.11' }, { workers: 5 })
  const grown = planOf(larger, world).steps.filter(({ round }) => round === 1)
  expect(grown.map(({ kind }) => kind)).toContain('claim-machine')
  expect(grown.map(({ kind }) => kind)).not.toContain('upgrade-machine')
})

test('other extensions or kernel arguments come the same way, with the version that runs', async () => {
  const plan = planOf(await specOf({ talos: { extensions: ['siderolabs/iscsi-tools'] } }), await aCluster())
  const reasons = plan.steps.filter(({ kind }) => kind === 'upgrade-machine').map(({ reason }) => reason)
  expect(new Set(reasons)).toEqual(new Set(['its extensions or kernel arguments changed']))
  expect(reasons).toHaveLength(7)
})

test('the config of a machine is compared when it runs the Talos that it is written for', async () => {
  const world = await aCluster()
  const change = { talos_version: 'v1.12.11', talos: { sysctls: { 'vm.swappiness': '1' } } }
  const plan = planOf(await specOf(change), world)
  const changed = plan.steps.filter(({ kind }) => kind === 'change-config')
  expect(changed).toHaveLength(7)
  expect(new Set(changed.map(({ round }) => round))).toEqual(new Set([2]))
})

test.each([
  { what: 'Talos', kind: 'upgrade-machine', change: { talos_version: 'v1.12.11' } },
  { what: 'Kubernetes', kind: 'upgrade-part', change: { kubernetes_version: 'v1.35.5' } },
])('a requested reboot comes first, and the upgrade of $what in the next round', async ({ kind, change }) => {
  const spec = await specOf(change)
  const asked = (observed: Observed) => {
    const desired = spec(observed)
    return { ...desired, cluster: { ...desired.cluster, intent: { rebooting: { 'dev-cp-1': 'run-1' } } } }
  }
  const { steps } = planOf(asked, await aCluster())
  const rounds = (one: string) => [...new Set(steps.filter((step) => step.kind === one).map(({ round }) => round))]
  expect(rounds('reboot-machine')).toEqual([1])
  expect(rounds(kind)).toEqual([2])
})
