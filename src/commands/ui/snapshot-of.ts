import type { Advisory } from '../../advisories/advisory.js'
import { ifSeen, type Seen } from '../../cluster/seen.js'
import { factsFrom } from '../../desired/places.js'
import { PlanRefused } from '../../errors.js'
import type { Examined } from '../../examine/examined.js'
import { byCause } from '../../findings/by-cause.js'
import type { Facts } from '../../findings/facts.js'
import type { Examination } from '../../findings/find-findings.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed } from '../../observe/observed.js'
import { type LoadedRow, liveCapacity } from '../../operations/capacity.js'
import type { Status } from '../../operations/status/status.js'
import { upgradeOutlook } from '../../operations/upgrade-outlook.js'
import type {
  AdvisoryView,
  ApiView,
  BlockView,
  EtcdView,
  HostView,
  MachineView,
  Part,
  Snapshot,
  StorageView,
  VerdictView,
  VersionsView,
  WatchView,
} from '../../page/snapshot.js'
import type { Load } from '../../proxmox/client/port.js'
import { verdictOf } from '../../report/status-verdict.js'

interface Look {
  readonly at: Date
  readonly tookMs: number
  readonly isLab: boolean
  readonly facts: Facts
  readonly examination: Examination
  readonly load: Load | undefined
  /** In use, in bytes, by the name of the machine. */
  readonly memory: ReadonlyMap<string, number>
  readonly watch: WatchView | null
  readonly status: Status
}

/** What was seen, as the page shows it. */
export function snapshotOf({ at, tookMs, isLab, facts, examination, load, memory, watch, status }: Look): Snapshot {
  const { inventory, observed, examined } = facts
  const time = at.toISOString()
  const part = <T>(seen: Seen<unknown>, value: T | null): Part<T> =>
    seen.seen ? { value, at: time, why: null } : { value: null, at: null, why: seen.why }
  const capacity = findCapacity(inventory, observed)
  return {
    version: 1,
    cluster: status.cluster,
    at: time,
    took_ms: Math.round(tookMs),
    is_lab: isLab,
    verdict: verdictView(status, examination),
    sources: sourcesOf(observed),
    endpoint: status.endpoint,
    api: part(observed.kubernetes, apiView(facts, status)),
    versions: versionsView(facts),
    watch,
    talos_version: status.talos_version,
    kubernetes_version: status.kubernetes_version,
    proxmox_version: observed.proxmox.version.version,
    hosts: observed.proxmox.hosts.map((host) =>
      hostView(host, { inventory, observed, examined, load, rows: capacity?.hosts ?? [], time }),
    ),
    machines: status.machines.map((machine) => machineView(machine, memory.get(machine.name) ?? null)),
    etcd: part(observed.etcd, etcdView(status, observed, examined)),
    addons: part(observed.kubernetes, status.addons),
    backup:
      status.backup === null || status.backup === undefined
        ? { value: null, at: null, why: 'the store of the backups cannot be read' }
        : { value: { newest: status.backup.last, drilled: status.backup.drilled }, at: time, why: null },
    expiries: status.certificates.map(({ name, expires, expires_soon = false }) => ({
      name,
      expires,
      soon: expires_soon,
    })),
    findings: byCause(examination.findings),
    unknown: examination.unknown,
    drift: status.drift,
    roll:
      status.roll === null
        ? null
        : { kind: status.roll.kind, from: status.roll.from, to: status.roll.to, left: status.roll.left.length },
    losses: capacity?.losses ?? [],
  }
}

function verdictView(status: Status, { findings }: Examination): VerdictView {
  const { word, isGood, problems } = verdictOf(status)
  const isWarned = findings.some(({ severity }) => severity !== 'info')
  const level = isGood
    ? isWarned
      ? 'warns'
      : 'well'
    : word === 'UNKNOWN' || word === 'NOT CREATED'
      ? 'unseen'
      : 'blocks'
  return { word, level, problems }
}

function sourcesOf({ proxmox, machines, etcd, kubernetes }: Observed): Snapshot['sources'] {
  const running = machines.filter(({ status }) => status === 'running')
  const silent = running.filter(({ talos }) => talos.reach === 'silent').map(({ name }) => name)
  const unread = proxmox.unreadHosts.map(({ host, why }) => `${host}: ${why}`)
  return [
    { name: 'Proxmox', is_seen: unread.length === 0, why: unread.length === 0 ? null : unread.join('; ') },
    {
      name: 'Talos',
      is_seen: silent.length === 0,
      why: silent.length === 0 ? null : `${silent.join(', ')} ${silent.length === 1 ? 'does' : 'do'} not respond`,
    },
    { name: 'etcd', is_seen: etcd.seen, why: etcd.seen ? null : etcd.why },
    { name: 'Kubernetes', is_seen: kubernetes.seen, why: kubernetes.seen ? null : kubernetes.why },
  ]
}

/** Nothing is known of it while the inventory cannot be placed. */
function findCapacity(inventory: Inventory, observed: Observed): ReturnType<typeof liveCapacity> | undefined {
  try {
    return liveCapacity(inventory, factsFrom(observed))
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return undefined
    throw thrown
  }
}

interface Around {
  readonly inventory: Inventory
  readonly observed: Observed
  readonly examined: Examined | undefined
  readonly load: Load | undefined
  readonly rows: readonly LoadedRow[]
  readonly time: string
}

function hostView(
  { name, online, maintenance, cpus, memory, memoryUsed }: Observed['proxmox']['hosts'][number],
  { inventory, observed, examined, load, rows, time }: Around,
): HostView {
  const row = rows.find((one) => one.name === name)
  const status = examined?.hosts.find((host) => host.name === name)?.status
  return {
    name,
    online,
    maintenance,
    at: online ? time : null,
    proxmox_version: (status === undefined ? undefined : ifSeen(status)?.proxmoxVersion) ?? null,
    cpus: online ? (cpus ?? null) : null,
    memory: online ? (memory ?? null) : null,
    memory_used: online ? (memoryUsed ?? null) : null,
    cpu_ratio: online ? (load?.hosts.find((one) => one.name === name)?.cpuRatio ?? null) : null,
    reserve: row?.reserve.memory ?? 0,
    blocks: blocksOf(name, inventory, observed),
    storages: online ? storagesOf(name, observed, examined) : [],
  }
}

/** Machines of ours first, then guests of the inventory, then what belongs to others. */
function blocksOf(host: string, { machines: wanted, guests: named }: Inventory, observed: Observed): BlockView[] {
  const ours = observed.machines.filter((machine) => machine.host === host)
  const away = observed.unverified.filter((vm) => vm.host === host && vm.because === 'away' && vm.holds !== undefined)
  const taken = new Set([...ours, ...away].map(({ vmid }) => vmid))
  const templates = new Set(observed.templates.map(({ vmid }) => vmid))
  const others = observed.proxmox.guests.filter(
    (guest) => guest.host === host && !guest.template && !taken.has(guest.vmid) && !templates.has(guest.vmid),
  )
  const isNamed = (guest: { readonly name?: string; readonly vmid: number }) =>
    named.some(({ name, vmid }) => (vmid === undefined ? name === guest.name : vmid === guest.vmid))
  const block = (guest: (typeof others)[number]): BlockView => ({
    kind: isNamed(guest) ? 'guest' : 'foreign',
    name: guest.name ?? `VM ${guest.vmid}`,
    vmid: guest.vmid,
    memory: guest.memory,
    state: guest.status,
  })
  return [
    ...ours.map(
      ({ name, vmid, options, status }): BlockView => ({
        kind: 'machine',
        name,
        vmid,
        memory: Number(options.memory ?? 512) * 1024 ** 2,
        state: status,
      }),
    ),
    ...away.map(
      ({ vmid, holds = '' }): BlockView => ({
        kind: 'machine',
        name: holds,
        vmid,
        memory: wanted.find(({ name }) => name === holds)?.memory ?? null,
        state: 'unknown',
      }),
    ),
    ...others.map(block).sort((one, other) => one.kind.localeCompare(other.kind) * -1),
  ]
}

function storagesOf(host: string, { proxmox }: Observed, seen: Examined | undefined): StorageView[] {
  const own = seen?.hosts.find(({ name }) => name === host)
  const pools = own === undefined ? [] : (ifSeen(own.thinPools) ?? [])
  const definitions = seen === undefined ? [] : (ifSeen(seen.storages) ?? [])
  const metadataShare = (storage: string): number | null => {
    const on = definitions.find((one) => one.storage === storage)?.thinPool
    const pool = pools.find(({ name, volumeGroup }) => name === on?.name && volumeGroup === on.volumeGroup)
    return pool === undefined || pool.metadataSize === 0 ? null : pool.metadataUsed / pool.metadataSize
  }
  return proxmox.storages
    .filter((storage) => storage.host === host && storage.available && storage.content.includes('images'))
    .map(({ storage, type, shared, total, used }) => ({
      name: storage,
      type,
      shared,
      total,
      used,
      metadata_share: metadataShare(storage),
    }))
}

function machineView(machine: Status['machines'][number], memoryUsed: number | null): MachineView {
  const { name, role, host, vmid, address, ready, state, talos_version, kubernetes_version, problem, problems } =
    machine
  return {
    name,
    role,
    host,
    vmid,
    address,
    ready,
    state,
    talos_version,
    kubernetes_version,
    memory_used: memoryUsed,
    problems: [...(problem === undefined ? [] : [problem]), ...problems],
  }
}

function apiView({ inventory, observed, examined }: Facts, { machines }: Status): ApiView | null {
  const kubernetes = ifSeen(observed.kubernetes)
  if (kubernetes === undefined) return null
  const vip = inventory.settings.network.vip ?? null
  const holds = ({ controlPlane }: Examined['machines'][number]) =>
    vip !== null && controlPlane !== undefined && (ifSeen(controlPlane.addresses)?.includes(vip) ?? false)
  return {
    vip,
    holder: examined?.machines.find(holds)?.name ?? null,
    version: kubernetes.version,
    servers: machines
      .filter(({ role }) => role === 'controlplane')
      .map(({ name, address, ready }) => ({ name, address, ready })),
  }
}

function versionsView(facts: Facts): VersionsView {
  const { running, affected, upgrades } = upgradeOutlook(facts)
  const hosts = (facts.examined?.hosts ?? []).flatMap(({ status }) => ifSeen(status)?.proxmoxVersion || [])
  return {
    ...running,
    proxmox: [...new Set(hosts.length > 0 ? hosts : [facts.observed.proxmox.version.version])],
    affected: affected.map(advisoryView),
    upgrades: upgrades.map((upgrade) => ({
      ...upgrade,
      entered: upgrade.entered.map(advisoryView),
      left: upgrade.left.map(advisoryView),
    })),
  }
}

function advisoryView({ id, title, effect, way_out, source }: Advisory): AdvisoryView {
  return { id, title, effect, way_out, source }
}

function etcdView({ etcd: status }: Status, observed: Observed, seen: Examined | undefined): EtcdView {
  const etcd = ifSeen(observed.etcd)
  const sizes = new Map(
    (seen?.machines ?? []).flatMap(({ name, controlPlane }) => {
      const found = controlPlane === undefined ? undefined : ifSeen(controlPlane.etcd)
      return found === undefined ? [] : [[name, found] as const]
    }),
  )
  const members = (etcd?.members ?? []).map(({ id, hostname, isLearner }) => {
    const name = etcd?.owners[id] ?? (hostname === '' ? id : hostname)
    const size = sizes.get(name)
    return {
      name,
      healthy: etcd?.healthy.includes(id) ?? false,
      leader: etcd?.leader === id,
      learner: isLearner,
      version: size?.version ?? null,
      size: size?.dbSize ?? null,
      in_use: size?.dbSizeInUse ?? null,
    }
  })
  return { members, healthy: status.healthy }
}
