import { interruptedRun } from '../findings/runs/interrupted-run.js'
import type { Status } from '../operations/status/status.js'
import { cureText } from './cure-text.js'
import { ageText } from './duration.js'
import { loadText } from './load-text.js'
import { printable } from './printable.js'
import { verdictOf } from './status-verdict.js'
import { tableWithin } from './table.js'
import type { TextStyle } from './text-style.js'
import { beside, cutTo } from './wrap.js'

/** One screen: the verdict, problems with their fixes, the machines, and the rest in a few lines. */
export function statusText(status: Status, style: TextStyle, width = Number.POSITIVE_INFINITY): string {
  const { word, isGood, problems } = verdictOf(status)
  const ready = status.machines.filter((machine) => machine.ready).length
  const count = `${ready} of ${status.machines.length} machines ready`
  const paint = isGood ? style.green : style.red
  return [
    headLine([style.bold(status.cluster), paint(word), count], [status.cluster, word, count], status.endpoint, width),
    ...problemLines(problems, style, width),
    '',
    machineTable(status, style, width),
    ...summaryLines(status, style, width),
    ...guestLines(status, style, width),
    ...rollLines(status, style, width),
    ...runLines(status, style, width),
    ...driftLines(status, style, width),
    ...status.notes.map((text) => beside(`${style.yellow('note')}  `, 6, printable(text), width)),
    '',
  ].join('\n')
}

/** Empty if the inventory has none. */
function guestLines({ guests }: Status, style: TextStyle, width: number): string[] {
  if (guests.length === 0) return []
  const texts = guests.map(({ name, host, state }) => `${name} ${state}${host === null ? '' : ` on ${host}`}`)
  return [beside(style.dim('guests  '), 8, printable(texts.join(', ')), width)]
}

function rollLines({ roll }: Status, style: TextStyle, width: number): string[] {
  if (roll === null) return []
  const { kind, from, to, done, left, stopped } = roll
  const what = `${kind === 'talos' ? 'Talos' : 'Kubernetes'} ${from} -> ${to}: ${done.length} done, ${left.length} left`
  const text = stopped === null ? what : `${what}; stopped: ${stopped}`
  return [beside(style.dim('roll    '), 8, printable(text), width)]
}

/** The last run from this computer was interrupted, or has failed. */
function runLines({ findings }: Status, style: TextStyle, width: number): string[] {
  return findings
    .filter(({ code }) => code === interruptedRun.code)
    .map(({ detail, cure }) => {
      const text = `the last one did not finish: ${detail}  Fix: ${cureText(cure)}`
      return beside(style.yellow('run     '), 8, printable(text), width)
    })
}

function headLine(
  painted: readonly string[],
  plain: readonly string[],
  endpoint: string | null,
  width: number,
): string {
  const used = plain.join('  ').length
  const shown = endpoint ?? 'endpoint not known yet'
  const gap = Math.min(Math.max(2, 80 - used - shown.length), Math.max(2, width - used - shown.length))
  const line = painted.join('  ')
  return used + gap + shown.length <= width ? `${line}${' '.repeat(gap)}${shown}` : `${line}\n${shown}`
}

/** More would not be read; the table and `ichor doctor` show the rest. */
const maxProblems = 3

function problemLines(problems: readonly { text: string; fix: string }[], style: TextStyle, width: number): string[] {
  const sign = `${style.red(style.signs.failed)} `
  const indent = style.signs.failed.length + 1
  const shown = problems
    .slice(0, maxProblems)
    .map(({ text, fix }) => beside(sign, indent, printable(`${text}${fix === '' ? '' : `  Fix: ${fix}`}`), width))
  const hidden = problems.length - shown.length
  return hidden > 0 ? [...shown, beside('  ', 2, `ichor doctor lists ${hidden} more`, width)] : shown
}

export function machineTable(
  { machines, etcd }: Pick<Status, 'machines' | 'etcd'>,
  style: TextStyle,
  width: number,
): string {
  const rows = machines.map((machine) => [
    `${printable(machine.name)}${machine.name === etcd.leader ? ' *' : ''}`,
    machine.host ?? '-',
    machine.vmid === null ? '-' : String(machine.vmid),
    machine.address ?? '-',
    machine.state === 'ready' ? style.green(machine.state) : style.yellow(printable(machine.state)),
    machine.talos_version ?? '-',
    machine.kubernetes_version ?? '-',
  ])
  const head = ['MACHINE', 'HOST', 'VMID', 'ADDRESS', 'STATE', 'TALOS', 'KUBERNETES']
  return tableWithin(head, rows, width, [6, 5, 2, 3, 1])
}

/** Hosts, etcd, addons, certificates, backup and load: two facts per line if the terminal is wide enough. */
export function summaryLines(status: Status, style: TextStyle, width: number): string[] {
  const facts = [
    hostsFact(status),
    etcdFact(status),
    addonsFact(status),
    certificatesFact(status),
    ...backupFact(status),
    ...loadFact(status),
  ]
  const cells = facts.map(([label, text]) => `${label.padEnd(8)}${text}`)
  const column = Math.max(35, ...cells.map((cell) => cell.length)) + 2
  const isWide = column * 2 <= Math.min(width, 120)
  const paint = (cell: string) => `${style.dim(cell.slice(0, 8))}${cell.slice(8)}`
  if (!isWide) return cells.map((cell) => paint(cutTo(cell.slice(0, 8), 8).padEnd(8) + cell.slice(8)))
  return [0, 2, ...(cells.length > 4 ? [4] : [])].map((at) => {
    const [left = '', right = ''] = cells.slice(at, at + 2)
    return right === '' ? paint(left) : `${paint(left.padEnd(column))}${paint(right)}`
  })
}

type Fact = readonly [label: string, text: string]

function hostsFact({ hosts }: Status): Fact {
  const names = (isOnline: boolean) => hosts.filter(({ online }) => online === isOnline).map(({ name }) => name)
  const [online, offline] = [names(true), names(false)]
  const shown = online.length > 6 ? `${online.length} hosts` : online.join(' ')
  const parts = [
    ...(online.length > 0 ? [`${shown} online`] : []),
    ...(offline.length > 0 ? [`${offline.join(' ')} OFFLINE`] : []),
  ]
  return ['hosts', parts.join(', ') || 'none']
}

function etcdFact({ etcd, machines, shut_down }: Status): Fact {
  if (shut_down !== null) return ['etcd', 'off']
  if (machines.every(({ state }) => state === 'unverified')) return ['etcd', 'unknown']
  if (etcd.members === 0) return ['etcd', 'does not answer']
  return ['etcd', `${etcd.healthy_members}/${etcd.members}${etcd.leader === null ? ', no leader' : ', leader *'}`]
}

function addonsFact({ addons }: Status): Fact {
  if (addons.length === 0) return ['addons', 'none']
  return ['addons', `${addons.filter(({ healthy }) => healthy).length}/${addons.length} healthy`]
}

function certificatesFact({ certificates }: Status): Fact {
  const [next] = certificates.map(({ expires }) => expires).sort()
  return ['certs', next === undefined ? 'none yet' : `next expiry ${next.slice(0, 10)}`]
}

/** Nothing if no backups are configured. */
function backupFact({ backup }: Status): Fact[] {
  if (backup === undefined) return []
  if (backup === null) return [['backup', 'the store cannot be read']]
  const { last, age_s: age, drilled } = backup
  if (last === null || age === null) return [['backup', 'none']]
  return [['backup', `${ageText(age)} old, ${drilled === null ? 'never drilled' : `drilled ${drilled.slice(0, 10)}`}`]]
}

/** Of the busiest host: what is calm needs no line of its own. */
function loadFact({ hosts }: Status): Fact[] {
  const known = hosts.flatMap(({ name, load }) => (load === null || load === undefined ? [] : [{ name, load }]))
  const [busiest] = known.toSorted((one, other) => busyness(other.load) - busyness(one.load))
  return busiest === undefined ? [] : [['load', `${busiest.name} ${loadText(busiest.load)}`]]
}

function busyness({ cpu_ratio, memory_used, memory_total }: NonNullable<Status['hosts'][number]['load']>): number {
  return Math.max(cpu_ratio, memory_total > 0 ? memory_used / memory_total : 0)
}

/** A cluster that does not exist yet would fill many screens. */
const maxDrift = 5

function driftLines({ drift, refusal }: Status, style: TextStyle, width: number): string[] {
  if (drift.length === 0) return [`${style.dim('drift   ')}${refusal === null ? 'none' : 'unknown'}`]
  const shown = drift.slice(0, maxDrift).map((text, index) => {
    return beside(index === 0 ? style.yellow('drift   ') : '        ', 8, printable(text), width)
  })
  const hidden = drift.length - shown.length
  return hidden > 0 ? [...shown, beside('        ', 8, `and ${hidden} more: ichor plan shows them all`, width)] : shown
}
