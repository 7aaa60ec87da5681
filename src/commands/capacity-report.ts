import { GiB } from '../cluster/machine.js'
import type { CapacityRow, KnownAmount, Refit, Survival } from '../placement/index.js'
import { table } from '../report/table.js'
import type { TextStyle } from '../report/text-style.js'

/** Who lives where, and what the loss of a host would mean. */
export interface Capacity {
  readonly cluster: string
  readonly hosts: readonly CapacityRow[]
  readonly loss?: Survival & { readonly refit: Refit }
}

/** The shape of `capacity --json`; what only Proxmox knows is null. */
export function capacityReport({ cluster, hosts, loss }: Capacity) {
  return {
    version: 1 as const,
    cluster,
    hosts: hosts.map(({ name, cpu, memory, machines, guests, isOffline = false }) => ({
      name,
      offline: isOffline,
      cpu: amountReport(cpu),
      memory: amountReport(memory),
      machines,
      guests,
    })),
    ...(loss === undefined ? {} : { lose: loss }),
  }
}

function amountReport({ total, used, free }: KnownAmount) {
  return { total: total ?? null, used, free: free ?? null }
}

/** The same for people. */
export function capacityText({ cluster, hosts, loss }: Capacity, style: TextStyle): string {
  if (hosts.length === 0) {
    return `${style.bold(cluster)}: the inventory names no host, so only Proxmox knows what there is; --live asks it.\n`
  }
  const rows = hosts.map(({ name, cpu, memory, machines, guests, isOffline }) => [
    isOffline ? `${name} (offline)` : name,
    ...[cpu.total, cpu.used, cpu.free].map((count) => (count === undefined ? '-' : String(count))),
    ...[memory.total, memory.used, memory.free].map((bytes) => (bytes === undefined ? '-' : gigabytes(bytes))),
    [...machines, ...guests.map((guest) => `${guest} (guest)`)].join(', ') || '-',
  ])
  const head = ['HOST', 'VCPU', 'USED', 'FREE', 'MEMORY', 'USED', 'FREE', 'WHO LIVES THERE']
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
  return `In reserve: ${cpu} vCPU and ${gigabytes(memory)} of memory.`
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
    refit.fits
      ? `  The rest has room: ${refit.reason}.`
      : `  The rest has no room for what ${host} held: ${refit.reason}`,
  ]
}

/** `32 GB`: powers of two, in the words of the inventory. */
function gigabytes(bytes: number): string {
  return `${Math.floor((bytes / GiB) * 10) / 10} GB`
}
