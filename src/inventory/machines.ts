import { type Address, addressAt, type Cidr, type Network, parseNetwork } from '../cluster/address.js'
import { deriveIdentity, deriveMac } from '../cluster/identity.js'
import type { Machine, Nic, Role } from '../cluster/machine.js'
import { isProtectedBy, type Protected } from '../cluster/protection.js'
import type { Path } from './path.js'
import type { Settings } from './schema.js'

/** A wanted machine, and the place in the inventory that requests it. */
export interface Draft {
  readonly machine: Machine
  /** `workers[3]` of a named machine, `worker_count` of a counted one. */
  readonly path: Path
  readonly isNamed: boolean
}

type NamedNode = Settings['workers'][number]

/** Machines of one kind: named ones first, then as many more as the count specifies. */
export interface Group {
  readonly role: Role
  /** `controlplane`, `workers`, or the name of a worker pool. */
  readonly pool: string
  readonly count: number
  readonly countPath: Path
  readonly nodes: readonly { readonly node: NamedNode; readonly path: Path }[]
  readonly namePrefix: string
  readonly offset: number
  readonly settings?: Settings['worker_pools'][number]
}

const agentExtension = 'siderolabs/qemu-guest-agent'

/** All groups of machines in the inventory: control planes, plain workers, then the pools. */
export function groupsOf(settings: Settings): Group[] {
  const { cluster_name: cluster, network } = settings
  const byPool = workersByPool(settings)
  const isFirstPool = (position: number) => position === 0 && settings.worker_count === 0
  return [
    {
      role: 'controlplane',
      pool: 'controlplane',
      count: settings.control_plane_count,
      countPath: ['control_plane_count'],
      nodes: settings.controlplane.map((node, index) => ({ node, path: ['controlplane', index] })),
      namePrefix: `${cluster}-cp-`,
      offset: network.control_plane_offset,
    },
    {
      role: 'worker',
      pool: 'workers',
      count: settings.worker_count,
      countPath: ['worker_count'],
      nodes: byPool.get('') ?? [],
      namePrefix: `${cluster}-wk-`,
      offset: network.worker_offset,
    },
    ...settings.worker_pools.map(
      (pool, position): Group => ({
        role: 'worker',
        pool: pool.name,
        count: pool.count,
        countPath: ['worker_pools', position, 'count'],
        nodes: byPool.get(pool.name) ?? [],
        namePrefix: `${cluster}-${pool.name}-`,
        offset: pool.offset ?? (isFirstPool(position) ? network.worker_offset : Number.NaN),
        settings: pool,
      }),
    ),
  ]
}

function workersByPool({ workers }: Settings): Map<string, { node: NamedNode; path: Path }[]> {
  const byPool = new Map<string, { node: NamedNode; path: Path }[]>()
  for (const [index, node] of workers.entries()) {
    const members = byPool.get(node.pool ?? '') ?? []
    byPool.set(node.pool ?? '', members)
    members.push({ node, path: ['workers', index] })
  }
  return byPool
}

/** One list of machines from names, counts and profiles. */
export function draftMachines(settings: Settings): Draft[] {
  const taken = new Set([...settings.controlplane, ...settings.workers].map((node) => node.name))
  const networks = networksOf(settings)
  return groupsOf(settings).flatMap((group) => {
    const named = group.nodes.map(({ node, path }, index) => draft(settings, networks, group, index, node, path))
    const counted = Math.max(0, group.count - named.length)
    const retired = new Set(settings.retired)
    const free = freeNames(group.namePrefix, named.length + 1, counted, { taken, retired })
    return [
      ...named,
      ...free.map(({ name, position }) =>
        draft(settings, networks, group, named.length + position, { name }, group.countPath),
      ),
    ]
  })
}

/** Names of others are skipped; a retired machine leaves its number free, so that the others keep theirs. */
function freeNames(
  prefix: string,
  from: number,
  count: number,
  { taken, retired }: { readonly taken: ReadonlySet<string>; readonly retired: ReadonlySet<string> },
): { name: string; position: number }[] {
  const names: { name: string; position: number }[] = []
  for (let number = from, position = 0; names.length < count; number++) {
    const name = `${prefix}${number}`
    if (taken.has(name)) continue
    if (!retired.has(name)) names.push({ name, position })
    position++
  }
  return names
}

interface Networks {
  readonly first: Network | undefined
  readonly firstV6: Network | undefined
  readonly others: readonly (Network | undefined)[]
}

function networksOf({ network }: Settings): Networks {
  const parsed = (cidr: Cidr | undefined) => (cidr === undefined ? undefined : parseNetwork(cidr))
  return {
    first: parsed(network.cidr),
    firstV6: parsed(network.ipv6?.cidr),
    others: network.nics.map((nic) => parsed(nic.cidr)),
  }
}

function draft(
  settings: Settings,
  networks: Networks,
  group: Group,
  index: number,
  node: NamedNode,
  path: Path,
): Draft {
  const offset = group.offset + index
  const address = node.ip ?? findAddress(networks.first, offset, settings.network.mode)
  const machine: Machine = {
    name: node.name,
    role: group.role,
    pool: group.pool,
    index,
    identity: identityOf(settings.cluster_name, node),
    ...sizeOf(settings, group, node),
    nics: [firstNic(settings, networks, node, address, offset), ...otherNics(settings, networks, group, node, index)],
    ...(address === undefined ? {} : { address }),
    labels: { ...group.settings?.labels, ...node.labels },
    taints: [...(group.settings?.taints ?? []), ...(node.taints ?? [])],
    devices: [...(group.settings?.devices ?? []), ...(node.devices ?? [])],
    extensions: extensionsOf(settings, group),
    ...hostOf(settings, node),
    ...(node.vmid === undefined ? {} : { vmid: node.vmid }),
    isProtected: node.protect ?? isProtectedBy(protectedIn(settings), { ...group, name: node.name }),
    ...(node.adopted === undefined ? {} : { adopted: node.adopted }),
  }
  return { machine, path, isNamed: path !== group.countPath }
}

function findAddress(network: Network | undefined, offset: number, mode: 'static' | 'dhcp'): Address | undefined {
  if (network === undefined || mode === 'dhcp' || Number.isNaN(offset)) return undefined
  return addressAt(network, offset)
}

function identityOf(cluster: string, node: NamedNode): Machine['identity'] {
  const derived = deriveIdentity(cluster, node.name)
  return { name: node.name, uuid: node.uuid ?? derived.uuid, mac: node.mac ?? derived.mac }
}

function sizeOf(settings: Settings, group: Group, node: NamedNode): Pick<Machine, 'cpu' | 'memory' | 'disk' | 'disks'> {
  const profile = group.role === 'controlplane' ? settings.sizing.control_plane : settings.sizing.worker
  const pool = group.settings?.sizing
  return {
    cpu: node.cpu ?? pool?.cpu ?? profile.cpu,
    memory: node.ram ?? pool?.ram ?? profile.ram,
    disk: node.disk ?? pool?.disk ?? profile.disk,
    disks: node.disks ?? pool?.disks ?? profile.disks,
  }
}

function firstNic(
  { cluster_name, proxmox, network }: Settings,
  networks: Networks,
  node: NamedNode,
  address: Address | undefined,
  offset: number,
): Nic {
  const isStatic = network.mode === 'static'
  const v6 = node.ip6 ?? findAddress(networks.firstV6, offset, network.mode)
  const addresses = [withPrefix(address, networks.first), withPrefix(v6, networks.firstV6)]
  return {
    mac: node.mac ?? deriveMac(cluster_name, node.name, 0),
    bridge: proxmox.bridge,
    ...(proxmox.vlan_id === undefined ? {} : { vlan: proxmox.vlan_id }),
    ...(network.mtu === undefined ? {} : { mtu: network.mtu }),
    addresses: isStatic ? addresses.filter((cidr) => cidr !== undefined) : [],
    ...(isStatic && network.gateway !== undefined ? { gateway: network.gateway } : {}),
    dhcp: !isStatic,
  }
}

function otherNics(settings: Settings, networks: Networks, group: Group, node: NamedNode, index: number): Nic[] {
  return settings.network.nics.map((nic, position): Nic => {
    const own = node.nics?.[position]
    const network = networks.others[position]
    const first = group.role === 'controlplane' ? nic.control_plane_offset : nic.worker_offset
    const poolShift = group.settings === undefined ? 0 : group.offset - settings.network.worker_offset
    const address = own?.ip ?? findAddress(network, first + poolShift + index, nic.mode)
    const cidr = nic.mode === 'static' ? withPrefix(address, network) : undefined
    return {
      mac: own?.mac ?? deriveMac(settings.cluster_name, node.name, position + 1),
      bridge: nic.bridge,
      ...(nic.vlan_id === undefined ? {} : { vlan: nic.vlan_id }),
      ...(nic.mtu === undefined ? {} : { mtu: nic.mtu }),
      addresses: cidr === undefined ? [] : [cidr],
      dhcp: nic.mode === 'dhcp',
    }
  })
}

function withPrefix(address: Address | undefined, network: Network | undefined): Cidr | undefined {
  return address === undefined || network === undefined ? address : `${address}/${network.prefix}`
}

function extensionsOf({ talos, network }: Settings, group: Group): string[] {
  if (talos.schematic !== undefined) return []
  const agent = network.agent ? [agentExtension] : []
  return [...new Set([...talos.extensions, ...(group.settings?.extensions ?? []), ...agent])].sort()
}

function hostOf({ placement }: Settings, node: NamedNode): { host?: string } {
  const host = node.host ?? placement.pinned[node.name]
  return host === undefined ? {} : { host }
}

/** What `protect` names, there and in the pools themselves. */
export function protectedIn({ protect, worker_pools }: Pick<Settings, 'protect' | 'worker_pools'>): Protected {
  if (protect === true) return true
  const named = protect === false ? [] : protect === 'control_plane' ? [protect] : protect
  return [...named, ...worker_pools.filter((pool) => pool.protect).map(({ name }) => name)]
}
