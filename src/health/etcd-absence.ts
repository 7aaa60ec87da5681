import { isBeforeEtcd } from '../cluster/etcd-service.js'
import type { EtcdMember, TalosNode } from '../talos/api/port.js'

/**
 * The members that a control plane reports: none if its etcd waits for bootstrap or to join. Throws if this is
 * undecidable: an etcd that runs and does not respond is not absent.
 */
export async function localMembers(node: TalosNode, signal: AbortSignal): Promise<readonly EtcdMember[]> {
  try {
    return await node.etcd.members({ local: true }, signal)
  } catch (thrown) {
    const services = await node.services(signal)
    const etcd = services.find(({ id }) => id === 'etcd')
    if (etcd === undefined || isBeforeEtcd(etcd)) return []
    throw thrown
  }
}
