import type { SecretsBundle } from '../../../secrets/bundle.js'
import { type ConfigObject, listUnlessEmpty, section } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'

/** `cluster.etcd`, which stands in the classic document in every contract; workers have none. */
export function etcdSection({ role, etcdSubnets }: TalosMachine, { certs }: SecretsBundle): ConfigObject | undefined {
  if (role !== 'controlplane') return undefined
  return section({ ca: { ...certs.etcd }, advertisedSubnets: listUnlessEmpty(etcdSubnets ?? []) })
}
