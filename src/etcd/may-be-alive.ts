import { ifSeen } from '../cluster/seen.js'
import type { Observed } from '../observe/observed.js'
import type { EtcdMember } from '../talos/api/port.js'
import { hostOf } from './etcd-now.js'

/**
 * Whether a member that no machine of ours has may run or start all the same, as a control plane that was joined by
 * hand does: it answers, has no name yet, only learns, or its node is Ready.
 */
export function mayBeAlive(
  { id, hostname, isLearner, peerUrls }: EtcdMember,
  { etcd, kubernetes, machines }: Pick<Observed, 'etcd' | 'kubernetes' | 'machines'>,
): boolean {
  if (ifSeen(etcd)?.owners[id] !== undefined || hostname === '' || isLearner) return true
  const ours = new Set(machines.flatMap(({ node }) => node?.systemUuid ?? []))
  const addresses = new Set(peerUrls.map(hostOf))
  return (ifSeen(kubernetes)?.nodes ?? []).some(
    ({ name, ready, systemUuid, internalAddresses }) =>
      ready && !ours.has(systemUuid) && (name === hostname || internalAddresses.some((one) => addresses.has(one))),
  )
}
