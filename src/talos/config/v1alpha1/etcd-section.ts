import type { SecretsBundle } from '../../../secrets/bundle.js'
import { type ConfigObject, listUnlessEmpty, section } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'

/** `cluster.etcd`, part of v1alpha1 in every contract; absent on workers. */
export function etcdSection({ role, etcdSubnets }: TalosMachine, { certs }: SecretsBundle): ConfigObject | undefined {
  if (role !== 'controlplane') return undefined
  return section({ ca: { ...certs.etcd }, advertisedSubnets: listUnlessEmpty(etcdSubnets ?? []) })
}
