import { oncePer } from '../cluster/lookup.js'
import { hostOf } from '../machine/etcd-now.js'
import type { Observed, ObservedEtcd, ObservedMachine } from '../observe/observed.js'
import type { EtcdMember } from '../talos/api/port.js'

/**
 * Whether this round can decide about etcd: it was seen, or everybody who may hold it answers and it is given up. Else those
 * who do not answer are started and reached first, and the next round asks again.
 */
export function canDecideEtcd(observed: Observed, newEtcd: boolean): boolean {
  return observed.etcd.seen || (newEtcd && !isControlPlaneSilent(observed))
}

/** One that ran, or may have run, and does not answer. */
export function isControlPlaneSilent({ machines }: Observed): boolean {
  return isAnySilent(machines)
}

const isAnySilent = oncePer((machines: Observed['machines']) =>
  machines.some(
    ({ mark, talos, status }) =>
      mark.role === 'controlplane' &&
      (talos.reach === 'silent' || talos.reach === 'off') &&
      (mark.stage !== 'making' || status === 'running'),
  ),
)

/** The member of a machine: the one that it says it is, else one that nobody else is and that has its name or address. */
export function findMember(
  { members, owners }: ObservedEtcd,
  {
    name,
    node,
    address,
  }: { readonly name: string; readonly node?: string | undefined; readonly address?: string | undefined },
): EtcdMember | undefined {
  const own = members.find(({ id }) => owners[id] === name)
  if (own !== undefined) return own
  return members.find(
    ({ id, hostname, peerUrls }) =>
      owners[id] === undefined &&
      (hostname === name ||
        hostname === node ||
        peerUrls.some((url) => address !== undefined && hostOf(url) === address)),
  )
}

export function memberOf(etcd: ObservedEtcd, { name, node, address }: ObservedMachine): EtcdMember | undefined {
  return findMember(etcd, { name, node: node?.name, address })
}
