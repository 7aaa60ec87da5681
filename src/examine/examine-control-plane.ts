import type { TalosNode } from '../talos/api/port.js'
import { ask } from './ask.js'
import type { ExaminedControlPlane } from './examined.js'
import { fieldsOf, textsIn } from './read-specs.js'
import { slowWritesIn } from './slow-writes.js'

/** What only a control plane knows: discovery, shared addresses, its etcd member. */
export async function examineControlPlane(
  { resources, etcd, logs }: TalosNode,
  signal: AbortSignal,
): Promise<ExaminedControlPlane> {
  const members = resources.list('Members.cluster.talos.dev', 'cluster', signal)
  const addresses = resources.find('NodeAddresses.net.talos.dev', 'network', 'current', signal)
  const log = logs({ service: 'etcd', namespace: 'system', follow: false, tailLines: 1000 }, signal)
  const [discovered, current, status, slowWrites] = await Promise.all([
    ask(
      members.then((found) => found.map(({ id }) => id)),
      signal,
    ),
    ask(
      addresses.then((found) => textsIn(fieldsOf(found?.spec), 'addresses').map((cidr) => cidr.split('/')[0] ?? cidr)),
      signal,
    ),
    ask(etcd.status(signal), signal),
    ask(slowWritesIn(log), signal),
  ])
  return { discovered, addresses: current, etcd: status, slowWrites }
}
