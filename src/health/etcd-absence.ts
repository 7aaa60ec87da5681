import type { EtcdMember, TalosNode } from '../talos/api/port.js'

/** States of Talos's service before etcd has begun to run. */
const notBegun = new Set(['Initialized', 'Preparing', 'Waiting'])

/**
 * The members that a control plane knows: none where its etcd waits to be bootstrapped or to join. Throws where that cannot
 * be decided: an etcd that runs and does not answer is not absent.
 */
export async function localMembers(node: TalosNode, signal: AbortSignal): Promise<readonly EtcdMember[]> {
  try {
    return await node.etcd.members({ local: true }, signal)
  } catch (thrown) {
    const services = await node.services(signal)
    const etcd = services.find(({ id }) => id === 'etcd')
    if (etcd === undefined || notBegun.has(etcd.state)) return []
    throw thrown
  }
}
