import { GiB } from '../cluster/machine.js'
import { sizeText } from '../cluster/size-text.js'
import type { Capacity, LoadedRow } from '../operations/capacity.js'
import type { CapacityRow, KnownAmount, Refit, Survival } from '../placement/index.js'
import { loadText } from '../report/load-text.js'
import { printable } from '../report/printable.js'
import { tableWithin } from '../report/table.js'
import type { TextStyle } from '../report/text-style.js'

/** The shape of `capacity --json`; values that only Proxmox knows are null. */
export function capacityReport({ cluster, hosts, asked, loss }: Capacity) {
  return {
    version: 1 as const,
    cluster,
    asked,
    hosts: hosts.map(
      ({ name, cpu, memory, machines, guests, reserve, unseen, storages = [], isOffline = false, load = null }) => ({
        name,
        offline: isOffline,
        cpu: amountReport(cpu),
        memory: amountReport(memory),
        machines,
        guests,
        reserve,
        unseen,
        storages,
        load,
      }),
    ),
    ...(loss === undefined ? {} : { lose: loss }),
  }
}

function amountReport({ total, used, free }: KnownAmount) {
  return { total: total ?? null, used, free: free ?? null }
}

/** The same as text: used of total, with a bar if the screen is wide enough. */
export function capacityText({ cluster, hosts, asked, loss }: Capacity, style: TextStyle, width: number): string {
  if (hosts.length === 0) {
    const sums = `${asked.cpu} vCPU, ${sizeText(asked.memory)} of memory and ${sizeText(asked.disk)} of disk`
    return `${style.bold(cluster)}: ${asked.machines} machines need ${sums}.\nThe inventory lists no hosts: use --live to read it from Proxmox.\n`
  }
  const storages = [...new Set(hosts.flatMap((host) => (host.storages ?? []).map(({ name }) => name)))]
  const rows = hosts.map((host) => hostRow(host, storages, style))
  const head = ['HOST', 'vCPU', 'MEMORY', ...storages.map((name) => `STORAGE ${name}`), 'MACHINES']
  return [
    style.bold(cluster),
    tableWithin(head, rows, width, [...storages.keys()].map((index) => index + 3).reverse()).trimEnd(),
    ...freeLines(hosts.filter(({ isOffline }) => !isOffline)),
    ...hosts.flatMap(loadLine),
    ...hosts.flatMap(unseenLine),
    ...(loss === undefined ? [] : ['', ...lossLines(loss, style)]),
    '',
  ].join('\n')
}

function hostRow(host: LoadedRow, storages: readonly string[], style: TextStyle): string[] {
  const names = [...host.machines, ...host.guests.map((guest) => `${guest} (guest)`)]
  const shown = names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  return [
    host.isOffline ? `${host.name} (offline)` : host.name,
    usage(host.cpu, String, style),
    usage(host.memory, gibibytes, style, ' GiB'),
    ...storages.map((name) => {
      const storage = host.storages?.find((one) => one.name === name)
      return storage === undefined ? '-' : usage(storage, gibibytes, style, ' GiB')
    }),
    names.length === 0 ? '0' : `${names.length}: ${printable(shown)}`,
  ]
}

/** `24/62 GiB ████░░░░░░`; only the used part if the total is unknown. */
function usage(
  { total, used }: { readonly total?: number; readonly used: number },
  text: (amount: number) => string,
  style: TextStyle,
  unit = '',
): string {
  if (total === undefined) return `${text(used)}/?${unit}`
  const parts = 8
  const full = total <= 0 ? 0 : Math.min(parts, Math.max(0, Math.round((used / total) * parts)))
  const bar = style.signs.full.repeat(full) + style.signs.empty.repeat(parts - full)
  return `${text(used)}/${text(total)}${unit}${bar === '' ? '' : ` ${used > total ? style.red(bar) : bar}`}`
}

function gibibytes(bytes: number): string {
  return String(Math.round(bytes / GiB))
}

function freeLines(hosts: readonly CapacityRow[]): string[] {
  const cpu = sumOf(hosts.map((host) => host.cpu.free))
  const memory = sumOf(hosts.map((host) => host.memory.free))
  if (cpu === undefined || memory === undefined) {
    return [
      'The inventory does not contain the size of the hosts: set pve_capacity, or use --live to read it from Proxmox.',
    ]
  }
  return [`free     ${cpu} vCPU, ${sizeText(memory)}`, ...keptText(hosts)]
}

function loadLine({ name, load }: LoadedRow): string[] {
  return load === undefined || load === null ? [] : [`load     ${name} ${loadText(load)}`]
}

function unseenLine({ name, unseen }: CapacityRow): string[] {
  return unseen === 0
    ? []
    : [`note     ${sizeText(unseen)} on ${name} are used by something that this token cannot see.`]
}

/** The capacity that is kept free. */
function keptText(hosts: readonly CapacityRow[]): string[] {
  const cpu = hosts.reduce((sum, { reserve }) => sum + reserve.cpu, 0)
  const memory = hosts.reduce((sum, { reserve }) => sum + reserve.memory, 0)
  return cpu === 0 && memory === 0 ? [] : [`reserve  ${cpu} vCPU, ${sizeText(memory)} of it kept free`]
}

function sumOf(amounts: readonly (number | undefined)[]): number | undefined {
  return amounts.reduce<number | undefined>(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount),
    0,
  )
}

function lossLines({ host, etcd, api, pools, refit }: Survival & { refit: Refit }, style: TextStyle): string[] {
  const sign = (survives: boolean) => (survives ? style.green(style.signs.ok) : style.red(style.signs.failed))
  const lost = pools.filter(({ left, machines }) => left < machines)
  return [
    `If ${host} is lost:`,
    `  ${sign(etcd.survives)} etcd ${etcd.survives ? 'keeps' : 'loses'} its majority: ${etcd.left} of ${etcd.members} members left, ${etcd.needed} needed`,
    `  ${sign(api.survives)} API ${api.survives ? 'stays' : 'is lost'}: ${api.reason}`,
    ...lost.map(
      ({ name, machines, left, survives }) => `  ${sign(survives)} pool ${name}: ${left} of ${machines} machines left`,
    ),
    refitText(host, refit, style),
  ]
}

/** One problem per line, each with the missing capacity. */
function refitReasons(reason: string): string {
  return reason
    .split('\n')
    .map((line) => `\n      ${line.replace(/^Not enough capacity for all machines: /, '')}`)
    .join('')
}

function refitText(host: string, { fits, reason }: Refit, style: TextStyle): string {
  if (fits === null) return `  ? capacity for its machines is not known: ${reason}`
  if (fits) return `  ${style.green(style.signs.ok)} capacity for its machines: ${reason}`
  return `  ${style.red(style.signs.failed)} not enough capacity for the machines of ${host}:${refitReasons(reason)}`
}
