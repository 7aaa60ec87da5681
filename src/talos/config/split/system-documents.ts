import type { SecretsBundle } from '../../../secrets/bundle.js'
import { type ConfigObject, listUnlessEmpty, mapUnlessEmpty } from '../config-value.js'
import { newDocument } from '../documents/new-document.js'
import type { TalosMachine } from '../talos-machine.js'

/** Discovery, installation, names, kernel and hardening of the node, without Kubernetes. */
export function systemDocuments(machine: TalosMachine, bundle: SecretsBundle): ConfigObject[] {
  const { cluster, kernelModules } = machine
  const params = mapUnlessEmpty(machine.sysctls)
  return [
    ...(cluster.discovery ? [discoveryService] : []),
    newDocument('DiscoveryIdentityConfig', { clusterID: bundle.cluster.id, clusterSecret: bundle.cluster.secret }),
    unattendedInstall(machine),
    resolver(machine),
    ...(params === undefined ? [] : [newDocument('SysctlConfig', { params })]),
    ...kernelModules.map(({ name, parameters }) =>
      newDocument('KernelModuleConfig', { name, parameters: listUnlessEmpty(parameters) }),
    ),
    newDocument('FilesystemTrimConfig', { interval: '168h0m0s' }),
    newDocument('SecurityProfileConfig', { workloadIsolation: true }),
  ]
}

const discoveryService = newDocument('DiscoveryServiceConfig', {
  name: 'default',
  endpoint: 'https://discovery.talos.dev/',
})

/** Talos wipes the disk unless this is set. */
function unattendedInstall({ install }: TalosMachine): ConfigObject {
  return newDocument('UnattendedInstallConfig', {
    installer: { image: install.image },
    provisioning: {
      diskSelector: { match: matchOf(install.disk) },
      wipe: install.wipe,
    },
  })
}

/** A link is no path of a disk: `machine.install.disk` follows it, a selector only compares. */
function matchOf(disk: string): string {
  const text = JSON.stringify(disk)
  return disk.startsWith('/dev/disk/') ? `disk.symlinks.exists(link, link == ${text})` : `disk.dev_path == ${text}`
}

function resolver({ nameservers, cluster }: TalosMachine): ConfigObject {
  return newDocument('ResolverConfig', {
    nameservers: listUnlessEmpty(nameservers.map((address) => ({ address }))),
    hostDNS: { enabled: true, forwardKubeDNSToHost: cluster.forwardKubeDnsToHost ?? true },
  })
}
