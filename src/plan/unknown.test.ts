import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aForeignVm, aWorld, carriedOut, planOf, specFor, stepNames } from '../../tests/support/worlds.js'
import { type Seen, seen, unseen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { Observed, ObservedEtcd, ObservedKubernetes, ObservedMachine } from '../observe/observed.js'
import { planRound } from './plan-round.js'
import { unknownsOf } from './unknowns.js'

const hosts = ['pve1', 'pve2', 'pve3']
const runs = 400

interface Cluster {
  readonly spec: (observed: Observed) => Desired
  readonly made: Observed
}

/** Clusters with two workers by the number of their control planes, made as their inventories say. */
const clusters = { 1: await aCluster(1), 3: await aCluster(3), 5: await aCluster(5) }

async function aCluster(controlPlanes: number): Promise<Cluster> {
  const spec = specFor(await anInventory({ controlPlanes, workers: 2, hosts }))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
  const guests = made.machines.map(({ vmid, host, name }) => aForeignVm(vmid, host, name))
  return { spec, made: { ...made, proxmox: { ...made.proxmox, guests } } }
}

/** What can be unknown of a machine: nothing, its config, everything inside it, or its VM, whose host may be well. */
const blindness = ['nothing', 'nothing', 'nothing', 'config', 'silent', 'unread'] as const
type Blindness = (typeof blindness)[number]

/** Every part is seen or not, whatever the others are. */
const views = fc.record({
  controlPlanes: fc.constantFrom(1, 3, 5),
  isEtcdSeen: fc.boolean(),
  isKubernetesSeen: fc.boolean(),
  unreadHosts: fc.subarray(hosts, { maxLength: 2 }),
  unreadStorages: fc.subarray(hosts),
  isRemembered: fc.boolean(),
  machines: fc.array(fc.constantFrom(...blindness), { minLength: 7, maxLength: 7 }),
})
type View = typeof views extends fc.Arbitrary<infer V> ? V : never

/** The same cluster, as somebody sees it from whom that much is hidden. */
function through(view: View): Observed {
  const { made } = clusters[view.controlPlanes]
  const all = made.machines.map((machine, index) => blinded(machine, view, view.machines[index] ?? 'nothing'))
  const machines = all.flatMap(({ machine }) => machine ?? [])
  const answering = new Set(machines.filter(isAnswering).map(({ name }) => name))
  return {
    ...made,
    machines,
    unverified: all.flatMap(({ away }) => away ?? []),
    secrets: { ...made.secrets, bootstrapped: view.isRemembered },
    etcd: etcdThrough(made.etcd, answering, view.isEtcdSeen),
    kubernetes: view.isKubernetesSeen && answering.size > 0 ? made.kubernetes : noKubernetes,
    proxmox: {
      ...made.proxmox,
      unreadHosts: view.unreadHosts.map((host) => ({ host, why: `${host} does not answer` })),
      contents: hosts.map((host) => ({
        host,
        storage: 'local',
        content: 'import',
        volumes: view.unreadStorages.includes(host) ? unseen(`${host} does not answer`) : seen([]),
      })),
    },
  }
}

const noKubernetes: Seen<ObservedKubernetes | undefined> = unseen('no control plane answers')

function isAnswering({ mark, talos }: ObservedMachine): boolean {
  return mark.role === 'controlplane' && talos.reach === 'secured'
}

function blinded(machine: ObservedMachine, view: View, what: Blindness) {
  const { name, host, vmid } = machine
  if (what === 'unread' || view.unreadHosts.includes(host)) {
    const text = `VM ${vmid} is on ${host}, which does not answer.`
    return { away: { name, host, vmid, because: 'away' as const, holds: name, text } }
  }
  const { node, talos, ...rest } = machine
  return {
    machine: {
      ...rest,
      talos: blindedTalos(talos, what),
      ...(node === undefined || !view.isKubernetesSeen ? {} : { node }),
    },
  }
}

function blindedTalos(talos: ObservedMachine['talos'], what: Blindness): ObservedMachine['talos'] {
  if (what === 'silent') return { reach: 'silent', reason: 'no answer' }
  return what === 'config' && talos.reach === 'secured' ? { ...talos, config: unseen('no answer') } : talos
}

/** Members whose machines answer are well; where none answers, nothing is seen. */
function etcdThrough(
  etcd: Observed['etcd'],
  answering: ReadonlySet<string>,
  isSeen: boolean,
): Seen<ObservedEtcd | undefined> {
  if (!isSeen || answering.size === 0 || !etcd.seen || etcd.value === undefined) return unseen('nobody answers')
  const healthy = etcd.value.healthy.filter((id) => answering.has(id))
  return seen({ ...etcd.value, healthy, owners: Object.fromEntries(healthy.map((id) => [id, id])) })
}

function roundOf(desired: Desired, observed: Observed) {
  try {
    return planRound(desired, observed, 1)
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return undefined
    throw thrown
  }
}

const grave = new Set([
  'make-template',
  'remove-seed',
  'delete-machine',
  'reset-machine',
  'stop-machine',
  'remove-etcd-member',
  'bootstrap-etcd',
  'delete-node',
  'claim-machine',
  'fill-machine',
])

test('what is not seen is never taken for gone: nothing is deleted, reset, stopped, made again or bootstrapped for it', () => {
  let planned = 0
  fc.assert(
    fc.property(views, (view) => {
      const observed = through(view)
      const steps = roundOf(clusters[view.controlPlanes].spec(observed), observed)
      expect(stepNames(steps?.filter(({ kind }) => grave.has(kind)) ?? [])).toEqual([])
      if (steps !== undefined) planned++
    }),
    { numRuns: runs },
  )
  expect(planned).toBeGreaterThan(runs / 4)
})

/** The inventory wants two control planes, where that leaves three, and a worker fewer than there are. */
const fewer = {
  1: specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts })),
  3: specFor(await anInventory({ controlPlanes: 3, workers: 1, hosts })),
  5: specFor(await anInventory({ controlPlanes: 3, workers: 1, hosts })),
}

test('who is not wanted any more goes only where all is seen that is lost with it', () => {
  let removals = 0
  fc.assert(
    fc.property(views, (view) => {
      const observed = through(view)
      const desired = fewer[view.controlPlanes](observed)
      const steps = (roundOf(desired, observed) ?? []).filter(({ kind }) => grave.has(kind))
      for (const { kind, machine } of steps) {
        const seenOne = observed.machines.find(({ name }) => name === machine)
        expect(
          desired.machines.some((wanted) => wanted.machine.name === machine),
          `${kind} ${machine}`,
        ).toBe(false)
        expect(seenOne, `${kind} ${machine}`).toBeDefined()
        expect(observed.kubernetes.seen).toBe(true)
        if (seenOne?.mark.role === 'controlplane') expect(observed.etcd.seen).toBe(true)
        removals++
      }
    }),
    { numRuns: runs },
  )
  expect(removals).toBeGreaterThan(0)
})

test('a template that cannot be read is not made a second time', async () => {
  const boot = { talos: { boot: 'template' } }
  const two = specFor(await anInventory({ workers: 2, with: boot }))
  const three = specFor(await anInventory({ workers: 3, with: boot }))
  const empty = aWorld(['pve1'])
  const made = carriedOut(planOf(two, empty).steps, two(empty), empty)
  const kinds = (observed: Observed) => roundOf(three(observed), observed)?.map(({ kind }) => kind)
  expect(kinds(made)).not.toContain('make-template')
  expect(kinds({ ...made, templates: [] })).toContain('make-template')
  const unverified = made.templates.map(({ host, vmid }) => ({
    host,
    vmid,
    because: 'unread' as const,
    mayBeTemplate: true,
    text: `VM ${vmid} is on ${host}, which does not answer.`,
  }))
  expect(kinds({ ...made, templates: [], unverified })).toBeUndefined()
})

test('a plan without steps is not called finished while etcd, Kubernetes or a wanted machine is unknown', () => {
  fc.assert(
    fc.property(views, (view) => {
      const observed = through(view)
      const desired = clusters[view.controlPlanes].spec(observed)
      const steps = roundOf(desired, observed)
      const isUnread = observed.proxmox.contents.some(({ volumes }) => !volumes.seen)
      const isBlind = !observed.etcd.seen || !observed.kubernetes.seen || observed.unverified.length > 0 || isUnread
      const isSilent = observed.machines.some(({ talos }) => talos.reach !== 'secured')
      if (steps?.length === 0 && (isBlind || isSilent)) expect(unknownsOf(desired, observed)).not.toEqual([])
    }),
    { numRuns: runs },
  )
})

test('a machine whose config could not be read is not called as it should be', () => {
  for (const { spec, made } of Object.values(clusters)) {
    const [first, ...others] = made.machines
    if (first === undefined) throw new Error('machines were made')
    const machines = [{ ...first, talos: blindedTalos(first.talos, 'config') }, ...others]
    const observed = { ...made, machines }
    const desired = spec(observed)
    const isOpen = planRound(desired, observed, 1).length > 0 || unknownsOf(desired, observed).length > 0
    expect(isOpen).toBe(true)
  }
})

test('a cluster of which everything is seen and well leaves nothing to do and nothing unknown', () => {
  for (const { spec, made } of Object.values(clusters)) {
    expect(stepNames(planRound(spec(made), made, 1))).toEqual([])
    expect(unknownsOf(spec(made), made)).toEqual([])
  }
})

test('control planes that nobody wants any more stay until etcd is seen', async () => {
  const { made } = clusters[5]
  const three = specFor(await anInventory({ controlPlanes: 3, workers: 2, hosts }))
  const blind: Observed = { ...made, etcd: unseen('nobody answers') }
  const graveOnes = (observed: Observed) =>
    planRound(three(observed), observed, 1).filter(({ kind }) => grave.has(kind))
  expect(stepNames(graveOnes(blind))).toEqual([])
  expect(stepNames(graveOnes(made))).toContain('reset-machine:dev-cp-5')
})

test('a plan made while no node can be reached shows no removal of a control plane in any of its rounds', async () => {
  const { made } = clusters[5]
  const three = specFor(await anInventory({ controlPlanes: 3, workers: 2, hosts }))
  const machines = made.machines.map(({ node: _, ...machine }) => ({
    ...machine,
    talos: blindedTalos(machine.talos, 'silent'),
  }))
  const blind: Observed = { ...made, machines, etcd: unseen('nobody answers'), kubernetes: noKubernetes }
  expect(stepNames(planOf(three, blind).steps.filter(({ kind }) => grave.has(kind)))).toEqual([])
})

test('a mark says that etcd was made and the secrets do not: control planes that are off are started, and no etcd is made', () => {
  const { spec, made } = clusters[3]
  const isControlPlane = ({ mark }: ObservedMachine) => mark.role === 'controlplane'
  const off = made.machines.map(({ node: _, ...machine }) =>
    isControlPlane(machine) ? { ...machine, status: 'stopped' as const, talos: { reach: 'off' as const } } : machine,
  )
  const machines = off
    .filter(({ name }) => name !== 'dev-cp-2')
    .map((machine) =>
      machine.name === 'dev-cp-1' ? { ...machine, mark: { ...machine.mark, bootstrap: 'done' as const } } : machine,
    )
  const secrets = { ...made.secrets, bootstrapped: false }
  const blind: Observed = { ...made, machines, secrets, etcd: unseen('nobody answers'), kubernetes: noKubernetes }
  const steps = stepNames(planOf(spec, blind).steps)
  expect(steps).toEqual(expect.arrayContaining(['start-machine:dev-cp-1', 'start-machine:dev-cp-3']))
  expect(steps.filter((step) => step.startsWith('bootstrap-etcd'))).toEqual([])
})

test('workers are neither restarted nor removed while nobody can see whether there are pods to drain', async () => {
  const { spec, made } = clusters[3]
  const one = specFor(await anInventory({ controlPlanes: 3, workers: 1, hosts }))
  const pending = made.machines.map((machine) =>
    machine.mark.role === 'worker' ? { ...machine, pending: ['cores'] } : machine,
  )
  const blind = (machines: readonly ObservedMachine[]): Observed => ({
    ...made,
    machines: machines.map(({ node: _, ...machine }) => machine),
    kubernetes: noKubernetes,
  })
  const kindsOf = (desire: (observed: Observed) => Desired, observed: Observed) =>
    new Set(planRound(desire(observed), observed, 1).map(({ kind }) => kind))
  expect(kindsOf(spec, { ...made, machines: pending })).toContain('restart-vm')
  expect(kindsOf(spec, blind(pending))).not.toContain('restart-vm')
  expect(kindsOf(one, made)).toContain('delete-machine')
  expect([...kindsOf(one, blind(made.machines))].filter((kind) => grave.has(kind))).toEqual([])
})
