import { isBeforeEtcd } from '../cluster/etcd-service.js'
import type { EtcdMember, TalosNode } from '../talos/api/port.js'

/**
 * The members that a control plane reports: none if its etcd waits for bootstrap or to join. Throws if this is
 * undecidable: an etcd that runs and does not respond is not absent. The service is asked first: an etcd that waits
 * lets calls hang.
 */
export async function localMembers(node: TalosNode, signal: AbortSignal): Promise<readonly EtcdMember[]> {
  return (await isWithoutEtcd(node, signal)) ? [] : node.etcd.members({ local: true }, signal)
}

/** Its etcd waits for bootstrap or to join. */
export async function isWithoutEtcd(node: TalosNode, signal: AbortSignal): Promise<boolean> {
  const etcd = (await node.services(signal)).find(({ id }) => id === 'etcd')
  return etcd === undefined || isBeforeEtcd(etcd)
}
