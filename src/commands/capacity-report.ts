import { GiB } from '../cluster/machine.js'
import type { CapacityRow, KnownAmount, Refit, Survival } from '../placement/index.js'
import { table } from '../report/table.js'
import type { TextStyle } from '../report/text-style.js'

/** Who lives where, and what the loss of a host would mean. */
export interface Capacity {
  readonly cluster: string
  readonly hosts: readonly CapacityRow[]
  /** What the machines of the inventory need in all. */
  readonly asked: { readonly machines: number; readonly cpu: number; readonly memory: number; readonly disk: number }
  readonly loss?: Survival & { readonly refit: Refit }
}

/** The shape of `capacity --json`; what only Proxmox knows is null. */
export function capacityReport({ cluster, hosts, asked, loss }: Capacity) {
  return {
    version: 1 as const,
    cluster,
    asked,
    hosts: hosts.map(({ name, cpu, memory, machines, guests, reserve, unseen, isOffline = false }) => ({
      name,
      offline: isOffline,
      cpu: amountReport(cpu),
      memory: amountReport(memory),
      machines,
      guests,
      reserve,
      unseen,
    })),
    ...(loss === undefined ? {} : { lose: loss }),
  }
}

function amountReport({ total, used, free }: KnownAmount) {
  return { total: total ?? null, used, free: free ?? null }
}

/** The same for people. */
export function capacityText({ cluster, hosts, asked, loss }: Capacity, style: TextStyle): string {
  if (hosts.length === 0) {
    const sums = `${asked.cpu} vCPU, ${gibibytes(asked.memory)} of memory and ${gibibytes(asked.disk)} of disk`
    return `${style.bold(cluster)}: ${asked.machines} machines need ${sums}.\nThe inventory names no host: ask Proxmox what there is with --live.\n`
  }
  const rows = hosts.map(({ name, cpu, memory, machines, guests, isOffline }) => [
    isOffline ? `${name} (offline)` : name,
    ...[cpu.total, cpu.used, cpu.free].map((count) => (count === undefined ? '-' : String(count))),
    ...[memory.total, memory.used, memory.free].map((bytes) => (bytes === undefined ? '-' : gibibytes(bytes))),
    [...machines, ...guests.map((guest) => `${guest} (guest)`)].join(', ') || '-',
  ])
  const head = ['HOST', 'VCPU', 'USED', 'FREE', 'MEMORY', 'USED', 'FREE', 'MACHINES']
  return [
    style.bold(cluster),
    table(head, rows).trimEnd(),
    reserveText(hosts.filter(({ isOffline }) => !isOffline)),
    ...(loss === undefined ? [] : ['', ...lossLines(loss, style)]),
    '',
  ].join('\n')
}

function reserveText(hosts: readonly CapacityRow[]): string {
  const cpu = sumOf(hosts.map((host) => host.cpu.free))
  const memory = sumOf(hosts.map((host) => host.memory.free))
  if (cpu === undefined || memory === undefined) {
    return 'How much the hosts have is not in the inventory: set pve_capacity, or ask Proxmox with --live.'
  }
  return `Free: ${cpu} vCPU and ${gibibytes(memory)} of memory.${keptText(hosts)}`
}

/** What is free and given to nobody. */
function keptText(hosts: readonly CapacityRow[]): string {
  const cpu = hosts.reduce((sum, { reserve }) => sum + reserve.cpu, 0)
  const memory = hosts.reduce((sum, { reserve }) => sum + reserve.memory, 0)
  return cpu === 0 && memory === 0 ? '' : ` Kept free by reserve: ${cpu} vCPU and ${gibibytes(memory)}.`
}

function sumOf(amounts: readonly (number | undefined)[]): number | undefined {
  return amounts.reduce<number | undefined>(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount),
    0,
  )
}

function lossLines({ host, etcd, api, pools, refit }: Survival & { refit: Refit }, style: TextStyle): string[] {
  const verdict = (survives: boolean) => (survives ? style.green('survives') : style.red('is lost'))
  return [
    `Without ${host}:`,
    `  etcd ${verdict(etcd.survives)}: ${etcd.left} of ${etcd.members} members are left, and ${etcd.needed} are needed.`,
    `  The API ${verdict(api.survives)}: ${api.reason}.`,
    ...pools.map(
      ({ name, machines, left, survives }) =>
        `  Pool ${name} ${verdict(survives)}: ${left} of ${machines} machines are left.`,
    ),
    refitText(host, refit),
  ]
}

function refitText(host: string, { fits, reason }: Refit): string {
  if (fits === null) return `  Whether the others have room for its machines is not known: ${reason}.`
  return fits ? `  The others have room: ${reason}.` : `  The others have no room for what ${host} held: ${reason}`
}

/** `32 GiB`. */
function gibibytes(bytes: number): string {
  return `${Math.floor((bytes / GiB) * 10) / 10} GiB`
}
