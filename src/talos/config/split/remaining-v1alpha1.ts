import type { SecretsBundle } from '../../../secrets/bundle.js'
import { type ConfigObject, section } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'
import { externalCloudProvider } from '../v1alpha1/cluster-section.js'
import { etcdSection } from '../v1alpha1/etcd-section.js'
import { acceptedCas, loggingSection } from '../v1alpha1/machine-section.js'

/** What 1.14 keeps in v1alpha1: the machine's identity, etcd, logging and the cloud provider. */
export function remainingV1alpha1(machine: TalosMachine, bundle: SecretsBundle): ConfigObject {
  const isControlPlane = machine.role === 'controlplane'
  return {
    version: 'v1alpha1',
    debug: false,
    persist: true,
    machine: section({
      type: machine.role,
      token: bundle.trustdinfo.token,
      ca: { crt: bundle.certs.os.crt, key: isControlPlane ? bundle.certs.os.key : '' },
      acceptedCAs: acceptedCas(bundle.accepted?.os),
      certSANs: machine.certSans,
      features: { diskQuotaSupport: true },
      logging: loggingSection(machine),
    }),
    cluster: section({
      token: bundle.secrets.bootstraptoken,
      externalCloudProvider: externalCloudProvider(machine),
      etcd: etcdSection(machine, bundle),
    }),
  }
}
