import { stringify } from 'yaml'
import { GiB } from '../../src/cluster/machine.js'
import { examine } from '../../src/inventory/examine.js'
import { type Inventory, InventoryError } from '../../src/inventory/index.js'
import type { Facts, GuestFacts, HostFacts } from '../../src/placement/facts.js'

export interface ClusterSpec {
  /** 1 unless said. */
  readonly controlPlanes?: number
  /** 0 unless said. */
  readonly workers?: number
  /** `pve1` unless said. */
  readonly hosts?: readonly string[]
  /** Further keys of cluster.yaml, over those that the spec gives. */
  readonly with?: Readonly<Record<string, unknown>>
}

/** A valid inventory with static addresses, as if it had been loaded from a cluster.yaml. */
export async function anInventory({
  controlPlanes = 1,
  workers = 0,
  hosts = ['pve1'],
  with: more = {},
}: ClusterSpec = {}): Promise<Inventory> {
  return inventoryOf({
    cluster_name: 'dev',
    control_plane_count: controlPlanes,
    worker_count: workers,
    proxmox: { target_nodes: hosts, datastore: 'local-lvm' },
    network: {
      cidr: '10.0.0.0/16',
      gateway: '10.0.0.1',
      control_plane_offset: 1000,
      worker_offset: 2000,
      pod_cidr: '10.128.0.0/9',
    },
    vm_ids: { control_plane: '2000-2999', worker: '100000-199999' },
    ...more,
  })
}

/** An inventory out of the data of a cluster.yaml; throws `InventoryError` like `loadInventory`. */
export async function inventoryOf(data: Readonly<Record<string, unknown>>): Promise<Inventory> {
  const { inventory, problems } = await examine({
    folder: '/inventory/dev',
    cluster: { file: 'cluster.yaml', text: stringify(data, { aliasDuplicateObjects: false }) },
  })
  if (inventory === undefined) throw new InventoryError(problems)
  return inventory
}

/** A host with 16 threads, 64 GiB of memory and 1 TiB of local storage. */
export function aHost(name: string, facts: Partial<HostFacts> = {}): HostFacts {
  const storage = { id: 'local-lvm', shared: false, free: 1024 * GiB, total: 1024 * GiB, content: ['images'] }
  return {
    name,
    online: true,
    maintenance: false,
    cpus: 16,
    memory: 64 * GiB,
    storages: [storage],
    pciMappings: [],
    ...facts,
  }
}

/** Somebody else's running VM with 2 vCPU and 4 GiB. */
export function aGuest(vmid: number, host: string, facts: Partial<GuestFacts> = {}): GuestFacts {
  return { vmid, host, cpus: 2, memory: 4 * GiB, running: true, onboot: false, isOurs: false, ...facts }
}

/** The world of these hosts and guests. */
export function someFacts(hosts: readonly HostFacts[], guests: readonly GuestFacts[] = []): Facts {
  return { hosts, guests }
}
