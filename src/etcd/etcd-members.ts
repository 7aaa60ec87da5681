import { majority } from '../cluster/quorum.js'
import type { ObservedEtcd, ObservedMachine } from '../observe/observed.js'
import type { EtcdMember } from '../talos/api/port.js'
import { hostOf } from './etcd-now.js'

/** Learners do not vote. */
export function hasMajority({ members, healthy }: ObservedEtcd): boolean {
  return healthy.length >= majority(members.filter(({ isLearner }) => !isLearner).length)
}

/** The member of a machine: the one it reports, otherwise an unclaimed one with its name or address. */
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
