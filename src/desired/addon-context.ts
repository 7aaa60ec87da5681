import type { AddonContext } from '../addons/addon.js'
import type { Inventory } from '../inventory/inventory.js'

/** What addons need to know about the cluster. */
export function addonContext(
  { settings, machines }: Inventory,
  secrets: Readonly<Record<string, string>>,
): AddonContext {
  const { proxmox, network, kubernetes, addons } = settings
  const controlPlanes = machines.filter(({ role }) => role === 'controlplane').length
  return {
    clusterName: settings.cluster_name,
    kubernetesVersion: settings.kubernetes_version,
    loadBalancer: network.load_balancer,
    controlPlanes,
    workers: machines.length - controlPlanes,
    cni: kubernetes.cni,
    proxmox: {
      endpoint: proxmox.endpoints[0] ?? '',
      insecure: proxmox.insecure,
      region: proxmox.region,
      datastore: proxmox.datastore ?? '',
    },
    secrets,
    ...(addons.registry === undefined ? {} : { registry: addons.registry }),
  }
}
