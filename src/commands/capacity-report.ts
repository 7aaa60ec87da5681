import { stripVTControlCharacters } from 'node:util'
import { GiB } from '../cluster/machine.js'
import { sizeText } from '../cluster/size-text.js'
import type { Capacity, LoadedRow } from '../operations/capacity.js'
import type { CapacityRow, KnownAmount, Refit, Survival } from '../placement/index.js'
import { loadText } from '../report/load-text.js'
import { printable } from '../report/printable.js'
import { table } from '../report/table.js'
import type { TextStyle } from '../report/text-style.js'
import { beside } from '../report/wrap.js'

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

/** The same as text: used of total; a narrow screen has no bars, then no names of machines, then storages below the table. */
export function capacityText({ cluster, hosts, asked, loss }: Capacity, style: TextStyle, width: number): string {
  if (hosts.length === 0) {
    const sums = `${asked.cpu} vCPU, ${sizeText(asked.memory)} of memory and ${sizeText(asked.disk)} of disk`
    return `${style.bold(cluster)}: ${asked.machines} machines need ${sums}.\nThe inventory lists no hosts: use --live to read it from Proxmox.\n`
  }
  const wrapped = (line: string) => beside(...hanging(line), width)
  return [
    style.bold(cluster),
    ...hostTable(hosts, style, width),
    ...[
      ...freeLines(hosts.filter(({ isOffline }) => !isOffline)),
      ...hosts.flatMap(loadLine),
      ...hosts.flatMap(unseenLine),
      ...(loss === undefined ? [] : ['', ...lossLines(loss, style)]),
    ].flatMap((text) => text.split('\n').map(wrapped)),
    '',
  ].join('\n')
}

/** A line's label or indent stays free below it. */
function hanging(line: string): [label: string, width: number, text: string] {
  const plain = stripVTControlCharacters(line)
  const width = /^(\S+ {2,}| *\S {1,2}| *)/.exec(plain)?.[0].length ?? 0
  // Only signs have colours.
  const text = plain.slice(width)
  return [line.slice(0, line.length - text.length), width, text]
}

/** The first of these that fits: everything, no bars, no names, no storages. */
function hostTable(hosts: readonly LoadedRow[], style: TextStyle, width: number): string[] {
  const storages = [...new Set(hosts.flatMap((host) => (host.storages ?? []).map(({ name }) => name)))]
  const shapes = [
    { bars: true, names: true, storages },
    { bars: false, names: true, storages },
    { bars: false, names: false, storages },
  ]
  for (const shape of shapes) {
    const text = table(headOf(shape), rowsOf(hosts, shape, style)).trimEnd()
    if (text.split('\n').every((line) => stripVTControlCharacters(line).length <= width)) return [text]
  }
  const bare = { bars: false, names: false, storages: [] }
  return [
    table(headOf(bare), rowsOf(hosts, bare, style)).trimEnd(),
    ...storages.flatMap((name) => storageLines(name, hosts)),
  ]
}

interface Shape {
  readonly bars: boolean
  readonly names: boolean
  readonly storages: readonly string[]
}

function headOf({ storages }: Shape): string[] {
  return ['HOST', 'vCPU', 'MEMORY', ...storages.map((name) => `STORAGE ${name}`), 'MACHINES']
}

/** Bars of a column begin below each other. */
function rowsOf(hosts: readonly LoadedRow[], { bars, names, storages }: Shape, style: TextStyle): string[][] {
  const columns = [
    hosts.map(({ cpu }) => usage(cpu, String)),
    hosts.map(({ memory }) => usage(memory, gibibytes, ' GiB')),
    ...storages.map((name) => hosts.map((host) => storageOf(host, name))),
  ].map((cells) => (bars ? withBars(cells, style) : cells.map(({ text }) => text)))
  return hosts.map((host, row) => [
    host.isOffline ? `${host.name} (offline)` : host.name,
    ...columns.map((cells) => cells[row] ?? ''),
    machinesText(host, names),
  ])
}

function storageLines(name: string, hosts: readonly LoadedRow[]): string[] {
  const parts = hosts.map((host) => `  ${host.name}  ${storageOf(host, name).text}`)
  return [`STORAGE ${name}`, ...parts]
}

function machinesText({ machines, guests }: LoadedRow, isNamed: boolean): string {
  const names = [...machines, ...guests.map((guest) => `${guest} (guest)`)]
  if (names.length === 0 || !isNamed) return String(names.length)
  const shown = names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  return `${names.length}: ${printable(shown)}`
}

interface Usage {
  readonly text: string
  /** Undefined if the total is unknown. */
  readonly ratio: number | undefined
}

function storageOf(host: LoadedRow, name: string): Usage {
  const storage = host.storages?.find((one) => one.name === name)
  return storage === undefined ? { text: '-', ratio: undefined } : usage(storage, gibibytes, ' GiB')
}

/** `24/62 GiB`; only the used part if the total is unknown. */
function usage(
  { total, used }: { readonly total?: number; readonly used: number },
  text: (amount: number) => string,
  unit = '',
): Usage {
  if (total === undefined) return { text: `${text(used)}/?${unit}`, ratio: undefined }
  return { text: `${text(used)}/${text(total)}${unit}`, ratio: total <= 0 ? 0 : used / total }
}

const parts = 8

function withBars(cells: readonly Usage[], { signs, red }: TextStyle): string[] {
  if (signs.full === '') return cells.map(({ text }) => text)
  const width = Math.max(...cells.map(({ text }) => text.length))
  return cells.map(({ text, ratio }) => {
    if (ratio === undefined) return text
    const full = Math.min(parts, Math.max(0, Math.round(ratio * parts)))
    const bar = signs.full.repeat(full) + signs.empty.repeat(parts - full)
    return `${text.padEnd(width)} ${ratio > 1 ? red(bar) : bar}`
  })
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
