import { majority } from '../cluster/quorum.js'
import { seen, unseen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { plannedNode } from '../node/kubernetes-node.js'
import type { Observed, ObservedEtcd, ObservedMachine } from '../observe/observed.js'
import { isEmptied } from '../vm/emptied.js'
import type { Model } from '../work/model.js'
import { findWanted } from '../work/wanted-machine.js'
import { isAwaitingEtcd } from './etcd-waits.js'
import { wasBootstrapped } from './was-bootstrapped.js'

/** etcd as observed once every wanted control plane has joined. */
export function plannedEtcd({ machines, cluster }: Desired): ObservedEtcd {
  const names = machines.filter(({ machine }) => machine.role === 'controlplane').map(({ machine }) => machine.name)
  return etcdOf(names, names, cluster.bootstrapMachine)
}

/**
 * The expected etcd of a healthy cluster. While an unwanted control plane exists and etcd could not be observed, only
 * etcd can report whether it is a member: a plan that assumed it is not would delete a member.
 */
export function expectWantedEtcd(model: Model, desired: Desired): void {
  const isSurplus = [...model.controlPlanes.values()].some(({ name }) => findWanted(desired, name) === undefined)
  if (model.around.etcd.seen || !isSurplus) model.change(() => ({ etcd: seen(plannedEtcd(desired)) }))
}

/**
 * The expected etcd once every control plane responds, if etcd could not be observed: each of them has a member, and
 * each lost one left a member and a node behind. If the running ones would not be a majority, the others are assumed
 * never created. This affects only consent: the round itself queries etcd and refuses where it must.
 */
export function expectEtcd(model: Model, desired: Desired): void {
  if (model.around.etcd.seen) return
  const controlPlanes = [...model.controlPlanes.values()].filter((machine) => !isEmptied(machine, desired))
  const isHeard = controlPlanes.every(({ talos }) => talos.reach === 'secured' || talos.reach === 'maintenance')
  if (!isHeard || desired.away.some(({ machine }) => machine.role === 'controlplane')) return
  const awaitsFirst = controlPlanes.some(({ mark }) => mark.bootstrap === 'asked')
  const isMade = wasBootstrapped({ ...model.around, machines: controlPlanes }) || controlPlanes.some(wasOut)
  if (!isMade || awaitsFirst) {
    model.change(() => ({ etcd: seen(undefined) }))
    return
  }
  const names = controlPlanes.map(({ name }) => name)
  const healthy = controlPlanes.filter(({ talos }) => talos.reach === 'secured').map(({ name }) => name)
  const lost = desired.machines.filter(({ machine }) => isLost(model.machines.get(machine.name), desired))
  const former = lost.flatMap(({ machine: { name, role } }) => (role === 'controlplane' ? [name] : []))
  const members = healthy.length >= majority(names.length + former.length) ? [...names, ...former] : names
  model.change(() => ({ etcd: seen(etcdOf(members, healthy, healthy[0])) }))
  expectNodes(model, desired, lost)
}

/** It was created and did not respond until now: most likely it has etcd, whatever older secrets record. */
function wasOut({ mark, talos }: ObservedMachine): boolean {
  return mark.stage === 'made' && talos.reach === 'secured' && talos.stage === 'booting'
}

function isLost(machine: ObservedMachine | undefined, desired: Desired): boolean {
  return machine === undefined || isEmptied(machine, desired)
}

/** Kubernetes responds if etcd does, and still has the nodes of lost machines. All others may have to join. */
function expectNodes(model: Model, { cluster }: Desired, lost: Desired['machines']): void {
  if (model.around.kubernetes.seen) return
  model.change(() => ({ kubernetes: seen({ version: cluster.kubernetesVersion, nodes: [], addons: [] }) }))
  for (const wanted of lost) model.setNode({ ...plannedNode(wanted, cluster.kubernetesVersion), ready: false })
}

/** The state after a control plane has permanently lost its etcd. With the last one, Kubernetes is lost too. */
export function expectNoEtcd(model: Model, desired: Desired, machine: string): void {
  if (![...model.controlPlanes.values()].every(hasNoEtcd)) {
    model.change(({ etcd }) => ({ etcd: withoutMember(etcd, machine) }))
    return
  }
  for (const { node: _, ...rest } of [...model.machines.values()]) model.setMachine(rest)
  const [away] = desired.away.filter((one) => one.machine.role === 'controlplane')
  const why = `${away?.machine.name} does not answer`
  model.change(() => ({ etcd: away === undefined ? seen(undefined) : unseen(why), kubernetes: seen(undefined) }))
}

function hasNoEtcd({ mark, status, talos }: ObservedMachine): boolean {
  if (talos.reach === 'secured') return isAwaitingEtcd(talos)
  return talos.reach === 'maintenance' || status === 'stopped' || mark.stage === 'making'
}

/** etcd without the member of that machine. */
export function withoutMember(etcd: Observed['etcd'], machine: string): Observed['etcd'] {
  if (!etcd.seen || etcd.value === undefined) return etcd
  const { members, healthy, owners, ...rest } = etcd.value
  const isIts = ({ id, hostname }: ObservedEtcd['members'][number]) => owners[id] === machine || hostname === machine
  const gone = new Set(members.filter(isIts).map(({ id }) => id))
  return seen({
    ...rest,
    owners: Object.fromEntries(Object.entries(owners).filter(([id]) => !gone.has(id))),
    members: members.filter(({ id }) => !gone.has(id)),
    healthy: healthy.filter((id) => !gone.has(id)),
  })
}

/** etcd in which the member of that machine, if any, votes: with a majority, so do all that respond. */
export function withHealthy(etcd: Observed['etcd'], machine: string): Observed['etcd'] {
  if (!etcd.seen || etcd.value === undefined) return etcd
  const { members, healthy, owners, ...rest } = etcd.value
  const own = members.find(({ id, hostname }) => owners[id] === machine || hostname === machine)
  if (own === undefined || healthy.includes(own.id)) return etcd
  const responding = { ...owners, [own.id]: machine }
  const voters = members.filter(({ isLearner }) => !isLearner).map(({ id }) => id)
  const running = voters.filter((id) => id in responding)
  const voting = running.length >= majority(voters.length) ? running : [own.id]
  return seen({ ...rest, members, healthy: [...new Set([...healthy, ...voting])], owners: responding })
}

/** etcd in which that machine has a voting member: it has joined an existing etcd. */
export function withMember(etcd: Observed['etcd'], machine: string): Observed['etcd'] {
  if (!etcd.seen || etcd.value === undefined) return etcd
  const { members, healthy, owners, ...rest } = etcd.value
  if (members.some(({ id, hostname }) => owners[id] === machine || hostname === machine)) return etcd
  const own = { id: machine, hostname: machine, peerUrls: [], isLearner: false }
  return seen({
    ...rest,
    members: [...members, own],
    healthy: [...healthy, machine],
    owners: { ...owners, [machine]: machine },
  })
}

function etcdOf(names: readonly string[], healthy: readonly string[], leader: string | undefined): ObservedEtcd {
  return {
    members: names.map((name) => ({ id: name, hostname: name, peerUrls: [], isLearner: false })),
    healthy,
    owners: Object.fromEntries(healthy.map((name) => [name, name])),
    ...(leader === undefined ? {} : { leader }),
  }
}
