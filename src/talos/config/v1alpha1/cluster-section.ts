import type { SecretsBundle } from '../../../secrets/bundle.js'
import { type ConfigObject, type ConfigValue, section } from '../config-value.js'
import type { Contract } from '../contract.js'
import type { TalosMachine } from '../talos-machine.js'
import { controlPlaneSections } from './control-plane-sections.js'
import { etcdSection } from './etcd-section.js'
import { acceptedCas } from './machine-section.js'

/** `cluster` of v1alpha1. A worker gets no keys, no etcd and no control plane settings. */
export function clusterSection(machine: TalosMachine, contract: Contract, bundle: SecretsBundle): ConfigObject {
  const { cluster, role } = machine
  const isControlPlane = role === 'controlplane'
  const control = isControlPlane ? controlPlaneSections(machine, contract, bundle) : {}
  return section({
    id: bundle.cluster.id,
    secret: bundle.cluster.secret,
    controlPlane: { endpoint: cluster.endpoint },
    clusterName: cluster.name,
    network: clusterNetwork(machine),
    token: bundle.secrets.bootstraptoken,
    ...encryptionSecret(isControlPlane, bundle),
    ca: { crt: bundle.certs.k8s.crt, key: isControlPlane ? bundle.certs.k8s.key : '' },
    acceptedCAs: acceptedCas(bundle.accepted?.k8s),
    ...control,
    discovery: { enabled: cluster.discovery, registries: { kubernetes: { disabled: true }, service: {} } },
    externalCloudProvider: externalCloudProvider(machine),
    etcd: etcdSection(machine, bundle),
    inlineManifests: isControlPlane ? inlineManifests(machine) : undefined,
    allowSchedulingOnControlPlanes: isControlPlane && cluster.allowSchedulingOnControlPlanes ? true : undefined,
  })
}

/** The cloud controller has no separate document in any contract. */
export function externalCloudProvider({ cluster }: TalosMachine): ConfigObject | undefined {
  return cluster.externalCloudProvider ? { enabled: true } : undefined
}

/** Talos installs Flannel by default. */
function clusterNetwork({ cluster }: TalosMachine): ConfigObject {
  const { cni } = cluster
  return section({
    cni:
      cni.name === 'flannel'
        ? undefined
        : section({ name: cni.name, urls: cni.name === 'custom' ? cni.urls : undefined }),
    dnsDomain: cluster.dnsDomain,
    podSubnets: cluster.podSubnets,
    serviceSubnets: cluster.serviceSubnets,
  })
}

function encryptionSecret(
  isControlPlane: boolean,
  { secrets }: SecretsBundle,
): Record<string, ConfigValue | undefined> {
  if (!isControlPlane) return {}
  return {
    aescbcEncryptionSecret: secrets.aescbcencryptionsecret,
    secretboxEncryptionSecret: secrets.secretboxencryptionsecret,
  }
}

function inlineManifests({ cluster }: TalosMachine): readonly ConfigObject[] | undefined {
  if (cluster.inlineManifests.length === 0) return undefined
  return cluster.inlineManifests.map(({ name, contents }) => ({ name, contents }))
}
