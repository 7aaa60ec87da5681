import type { SecretsBundle } from '../../../secrets/bundle.js'
import { type ConfigObject, listUnlessEmpty, mapUnlessEmpty, section } from '../config-value.js'
import { type Contract, hasNetworkDocuments } from '../contract.js'
import { nodeLabels, nodeTaints } from '../node-marks.js'
import type { TalosMachine } from '../talos-machine.js'
import { diskPartitions } from './disk-partitions.js'
import { kubeletSection } from './kubelet-section.js'
import { networkSection } from './network-section.js'
import { registriesSection } from './registries-section.js'
import { systemDiskEncryption } from './system-disk-encryption.js'

/** `machine` of v1alpha1. */
export function machineSection(machine: TalosMachine, contract: Contract, bundle: SecretsBundle): ConfigObject {
  const { role } = machine
  return section({
    type: role,
    token: bundle.trustdinfo.token,
    ca: { crt: bundle.certs.os.crt, key: role === 'controlplane' ? bundle.certs.os.key : '' },
    acceptedCAs: acceptedCas(bundle.accepted?.os),
    certSANs: machine.certSans,
    kubelet: kubeletSection(machine, contract),
    network: networkSection(machine, contract),
    disks: diskPartitions(machine, contract),
    install: installSection(machine, contract),
    time: hasNetworkDocuments(contract) ? undefined : timeSection(machine),
    sysctls: mapUnlessEmpty(machine.sysctls),
    registries: hasNetworkDocuments(contract) ? undefined : registriesSection(machine, contract),
    systemDiskEncryption: systemDiskEncryption(machine, contract),
    features: featuresSection(machine, contract),
    logging: loggingSection(machine),
    kernel: kernelSection(machine),
    nodeLabels: mapUnlessEmpty(nodeLabels(machine)),
    nodeAnnotations: mapUnlessEmpty(machine.annotations),
    nodeTaints: role === 'controlplane' ? mapUnlessEmpty(nodeTaints(machine)) : undefined,
  })
}

/** CAs that are accepted besides the signing one during a rotation. */
export function acceptedCas(certificates: readonly string[] = []): readonly ConfigObject[] | undefined {
  return listUnlessEmpty(certificates.map((crt) => ({ crt })))
}

/** Log destinations: the only part without a separate document in any contract. */
export function loggingSection(machine: TalosMachine): ConfigObject | undefined {
  if (machine.logDestinations.length === 0) return undefined
  return { destinations: machine.logDestinations.map((endpoint) => ({ endpoint, format: 'json_lines' })) }
}

function installSection({ install }: TalosMachine, contract: Contract): ConfigObject {
  return section({
    disk: install.disk,
    image: install.image,
    wipe: install.wipe,
    grubUseUKICmdline: hasNetworkDocuments(contract) ? true : undefined,
  })
}

function timeSection({ timeServers }: TalosMachine): ConfigObject | undefined {
  return timeServers.length === 0 ? undefined : { servers: timeServers }
}

function featuresSection({ cluster }: TalosMachine, contract: Contract): ConfigObject {
  return section({
    ...(hasNetworkDocuments(contract) ? {} : { rbac: true, stableHostname: true, apidCheckExtKeyUsage: true }),
    diskQuotaSupport: true,
    kubePrism: cluster.kubePrism ? { enabled: true, port: 7445 } : undefined,
    hostDNS: { enabled: true, forwardKubeDNSToHost: cluster.forwardKubeDnsToHost ?? true },
  })
}

function kernelSection({ kernelModules }: TalosMachine): ConfigObject | undefined {
  if (kernelModules.length === 0) return undefined
  return {
    modules: kernelModules.map(({ name, parameters }) => section({ name, parameters: listUnlessEmpty(parameters) })),
  }
}
