import { parseVersion } from '../cluster/version.js'
import { valueAt } from './path.js'
import { addons as addonsSchema } from './schema/addons.js'
import type { Document } from './schema.js'

/** The default Kubernetes version of each Talos minor version. */
const kubernetesOf: Readonly<Record<number, string>> = {
  8: 'v1.31.1',
  9: 'v1.32.0',
  10: 'v1.33.6',
  11: 'v1.34.1',
  12: 'v1.35.4',
  13: 'v1.36.3',
  14: 'v1.37.0',
}

/** Resolves the defaults that depend on several keys. */
export function settle(document: Document) {
  const workers = document.workers.filter((node) => node.pool === undefined).length
  const pools = document.worker_pools.map((pool) => ({
    ...pool,
    count: pool.count ?? document.workers.filter((node) => node.pool === pool.name).length,
  }))
  const workerCount = document.worker_count ?? workers
  const hasWorkers = workerCount > 0 || pools.some((pool) => pool.count > 0)
  return {
    ...document,
    kubernetes_version: document.kubernetes_version ?? defaultKubernetes(document.talos_version),
    control_plane_count: document.control_plane_count ?? defaultControlPlanes(document),
    worker_count: workerCount,
    worker_pools: pools,
    proxmox: settleProxmox(document),
    talos: { ...document.talos, delivery: document.talos.delivery ?? defaultDelivery(document) },
    kubernetes: settleKubernetes(document, hasWorkers),
    addons: settleAddons(document),
  }
}

/** NetworkPolicies are an addon, whichever key enables them; the addon's own key has more options. */
function settleAddons({ addons, firewall }: Document): Document['addons'] {
  if (!firewall.enabled || !firewall.network_policies || addons.network_policies !== undefined) return addons
  return { ...addons, network_policies: addonsSchema.parse({ network_policies: true }).network_policies }
}

/** Of an inventory that names no other. */
export function defaultKubernetes(talosVersion: string): string {
  const minor = parseVersion(talosVersion)?.minor ?? 13
  return kubernetesOf[minor] ?? (minor < 8 ? 'v1.31.1' : 'v1.37.0')
}

function defaultControlPlanes({ controlplane, ha_enabled }: Document): number {
  return controlplane.length > 0 ? controlplane.length : ha_enabled ? 3 : 1
}

/** If only the guest agent knows the endpoint, a config cannot be written before the machine has booted. */
function defaultDelivery({ network, endpoint_override }: Document): 'cidata' | 'apply' {
  const isReported = network.mode === 'dhcp' && network.agent
  return isReported && network.vip === undefined && endpoint_override === undefined ? 'apply' : 'cidata'
}

function settleProxmox({ proxmox, pve_capacity, cluster_name }: Document) {
  const { endpoint, node, datastore_id, ...rest } = proxmox
  const datastore = proxmox.datastore ?? datastore_id
  const hosts = [...(node === undefined ? [] : [node]), ...proxmox.target_nodes]
  return {
    ...rest,
    ...(node === undefined ? {} : { node }),
    ...(datastore === undefined ? {} : { datastore }),
    endpoints: [...new Set([...(endpoint === undefined ? [] : [endpoint]), ...proxmox.endpoints])],
    /** Empty: all hosts of the Proxmox cluster. */
    target_nodes: [...new Set(hosts.length > 0 ? hosts : Object.keys(pve_capacity ?? {}))],
    pool: proxmox.pool ?? `ichor-${cluster_name}`,
    region: proxmox.region ?? cluster_name,
  }
}

function settleKubernetes({ kubernetes, addons }: Document, hasWorkers: boolean) {
  const cni = kubernetes.cni === 'auto' ? (addons.cilium === undefined ? 'flannel' : 'none') : kubernetes.cni
  return {
    ...kubernetes,
    cni: cni satisfies 'flannel' | 'none',
    kube_proxy: kubernetes.kube_proxy ?? valueAt(addons, ['cilium', 'kube_proxy_replacement']) !== true,
    schedule_on_control_planes: kubernetes.schedule_on_control_planes ?? !hasWorkers,
  }
}
