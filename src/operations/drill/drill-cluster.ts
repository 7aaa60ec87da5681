import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import { deriveIdentity } from '../../cluster/identity.js'
import type { Machine } from '../../cluster/machine.js'
import { parseVersion } from '../../cluster/version.js'
import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { firstControlPlane } from '../../desired/endpoint.js'
import { withoutDrillBridge } from '../../findings/refusals/runs.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { ClusterMemory, SecretsFile } from '../../secrets/bundle.js'
import { chooseContract } from '../../talos/config/contract.js'
import { probeDocuments } from '../../talos/config/documents/probes.js'
import type { SecretsPort } from '../../world.js'
import { isolatingPatches } from './isolating-patches.js'

/**
 * The inventory of a drill: one control plane with its own name, pool and address on the drill's bridge, without VIP,
 * discovery, addons, guests or backup jobs. Otherwise it is a cluster like any other.
 */
export function drillInventory(inventory: Inventory): Inventory {
  const { settings } = inventory
  const { drill, proxmox, talos } = settings
  const cluster = `${settings.cluster_name}-drill`
  const { vip: _vip, cidr: _cidr, ...network } = settings.network
  const { endpoint_override: _endpoint, ...rest } = settings
  const { machines: _machines, ...backup } = settings.backup
  return {
    ...inventory,
    settings: {
      ...rest,
      cluster_name: cluster,
      control_plane_count: 1,
      worker_count: 0,
      worker_pools: [],
      controlplane: [],
      workers: [],
      guests: [],
      backup,
      network,
      protect: false,
      placement: { ...settings.placement, strategy: 'spread' },
      proxmox: {
        ...proxmox,
        pool: `${proxmox.pool}-drill`,
        ...(drill.datastore === undefined ? {} : { datastore: drill.datastore }),
      },
      talos: { ...talos, discovery: false, registries: [...mirrorsOf(drill.mirror), ...talos.registries] },
    },
    machines: [drillMachine(inventory, cluster)],
    guests: [],
  }
}

function drillMachine({ settings, machines, where }: Inventory, cluster: string): Machine {
  const { drill, network } = settings
  const model = firstControlPlane(machines)
  if (drill.bridge === undefined || model === undefined) {
    throw withoutDrillBridge.refuse('There is no bridge for the machine of a drill.', {
      subject: { kind: 'inventory', name: 'drill.bridge' },
      where: where('drill'),
      fix: 'Set drill.bridge to a bridge that nothing else is reachable from, or use `ichor drill --offline`.',
    })
  }
  const name = `${cluster}-1`
  const identity = deriveIdentity(cluster, name)
  const prefix = network.cidr?.split('/')[1] ?? '24'
  const { host: _host, vmid: _vmid, address: _address, ...same } = model
  return {
    ...same,
    name,
    identity,
    index: 0,
    cpu: drill.size.cpu ?? model.cpu,
    memory: drill.size.ram ?? model.memory,
    disk: drill.size.disk ?? model.disk,
    disks: [],
    devices: [],
    labels: {},
    taints: [],
    nics: [
      {
        mac: identity.mac,
        bridge: drill.bridge,
        addresses: drill.address === undefined ? [] : [`${drill.address}/${prefix}`],
        dhcp: drill.address === undefined,
      },
    ],
    ...(drill.address === undefined ? {} : { address: drill.address }),
    ...(drill.host === undefined ? {} : { host: drill.host }),
    isProtected: false,
  }
}

function mirrorsOf(mirror: string | undefined) {
  if (mirror === undefined) return []
  return [{ host: '*', mirrors: [mirror], skip_fallback: true, insecure: false }]
}

/** Like the cluster's own, without anything that would act on the contents of the snapshot. */
export function drillSpec(
  spec: Omit<ClusterSpec, 'secrets'>,
  inventory: Inventory,
  mustNotReach: readonly string[],
): Omit<ClusterSpec, 'secrets'> {
  const [machine] = inventory.machines
  const source = 'ichor drill'
  const probes = mustNotReach.length > 0 ? probeDocuments(mustNotReach) : []
  const { talos, talos_version } = inventory.settings
  const { contract } = chooseContract(talos.contract ?? talos_version)
  const texts = [...isolatingPatches(contract), ...probes].map((patch) => ({
    source,
    line: 1,
    text: stringify(patch),
  }))
  const nodes = { ...spec.patches.nodes, [machine?.name ?? '']: texts }
  return { ...spec, inventory, addons: [], patches: { ...spec.patches, nodes } }
}

/** Talos has probes since this version. */
export function hasProbes({ settings: { talos_version } }: Pick<Inventory, 'settings'>): boolean {
  return (parseVersion(talos_version)?.minor ?? 0) >= 13
}

async function neverRotated(): Promise<never> {
  throw new Error('the keys of a drill are never rotated')
}

/**
 * The cluster secrets with another cluster ID, in memory only: the machine can decrypt the snapshot, but its marks and
 * discovery do not belong to the cluster.
 */
export function drillSecrets({ bundle, memory }: SecretsFile): SecretsPort {
  const id = createHash('sha256').update('ichor drill\0').update(bundle.cluster.id).digest('base64url')
  const own = { ...bundle, cluster: { ...bundle.cluster, id } }
  let remembered: ClusterMemory = {
    bootstrapped: false,
    sealed: true,
    values: {},
    ...(memory.contract === undefined ? {} : { contract: memory.contract }),
  }
  return {
    location: 'the memory of this run',
    find: async () => ({ bundle: own, memory: remembered }),
    make: async () => {
      throw new Error('a drill has its secrets')
    },
    remember: async (change) => {
      remembered = { ...remembered, ...change, values: { ...remembered.values, ...change.values } }
    },
    settleAddon: async () => {
      throw new Error('a drill gives no addon its secret')
    },
    beginRotation: neverRotated,
    advanceRotation: neverRotated,
    remove: async () => {},
  }
}
