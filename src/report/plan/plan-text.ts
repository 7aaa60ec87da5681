import type { Plan } from '../../plan/plan.js'
import { durationText } from '../duration.js'
import { printable } from '../printable.js'
import { remainingTime } from '../remaining.js'
import { sizeText } from '../size-text.js'
import type { TextStyle } from '../text-style.js'
import { beside, wrapWords } from '../wrap.js'
import { type MachineRow, machineRows, type PlanFacts } from './machine-rows.js'
import { type OtherRow, otherRows } from './other-rows.js'

export interface PlanLayout {
  readonly style: TextStyle
  readonly width: number
  /** Usual duration of each kind of step, in milliseconds. */
  readonly expected?: ReadonlyMap<string, number>
  /** The command that shows every step; omitted if already shown. */
  readonly stepsHint?: string
}

/** The plan as text: a table of what is created, changed and deleted, and what is lost. */
export function planText(plan: Plan, facts: PlanFacts, layout: PlanLayout): string {
  const { style, width } = layout
  const notes = noteLines(plan, layout)
  if (!plan.steps.some(({ changes }) => changes)) return `${withoutChanges(plan, style)}${notes}`
  const machines = machineRows(plan, facts)
  const others = otherRows(plan, facts)
  const names = [...machines, ...others].map(({ name }) => name.length)
  const nameWidth = Math.min(Math.max(...names), Math.max(12, Math.floor(width / 3)))
  const lines = [
    ...headerLines(facts, style, width),
    '',
    ...machineLines(machines, nameWidth, layout),
    ...others.map((row) => otherLine(row, nameWidth, layout)),
    '',
    ...wrapWords(summaryOf(machines, plan, layout), width).map(style.bold),
    ...hintLines(layout).map(style.dim),
  ]
  return `${lines.join('\n')}\n${notes}`
}

function headerLines({ desired, observed }: PlanFacts, style: TextStyle, width: number): string[] {
  const { name, target, endpoint } = desired.cluster
  const places = [...desired.machines, ...observed.machines].map(({ host }) => host)
  const hosts = [...new Set(places)].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  const shown = hosts.length > 6 ? `${hosts.length} hosts` : hosts.join(', ')
  const facts = [
    `${name}${hosts.length === 0 ? '' : ` on ${shown}`}`,
    `Talos ${target.talos}`,
    `Kubernetes ${target.kubernetes}`,
    ...(endpoint === undefined ? [] : [endpoint]),
  ]
  const line = facts.join(`${style.signs.dot} `)
  const [first = '', ...rest] = line.length <= width ? [line] : facts
  return [style.bold(printable(first)), ...rest.map((text) => `  ${printable(text)}`)]
}

const actionSigns = { create: '+', change: '~', delete: '-' } as const

function signOf(action: MachineRow['action'], { green, yellow, red }: TextStyle): string {
  return { create: green, change: yellow, delete: red }[action](actionSigns[action])
}

/** One line per machine if they all fit; on a narrow screen their size is on a second line. */
function machineLines(rows: readonly MachineRow[], nameWidth: number, layout: PlanLayout): string[] {
  const cells = rows.map((row) => (row.action === 'create' ? creationCells(row) : placeCells(row)))
  const widths = Array.from({ length: Math.max(0, ...cells.map((line) => line.length)) }, (_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  )
  const padded = cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const isWide = padded.every((text) => 4 + nameWidth + 2 + text.length <= layout.width)
  return rows.flatMap((row, index) => {
    const start = `  ${signOf(row.action, layout.style)} ${printable(row.name).padEnd(nameWidth)}  `
    const indent = nameWidth + 6
    const facts = isWide ? [padded[index] ?? ''] : narrow(cells[index] ?? [])
    const texts = [...facts, ...detailsOf(row)]
    return [beside(start, indent, texts[0] ?? '', layout.width), ...below(texts.slice(1), indent, row, layout)]
  })
}

/** Host and VMID on the first line, the rest below. */
function narrow(cells: readonly string[]): string[] {
  const [place, size] = [
    cells.slice(0, 2).join('  '),
    cells
      .slice(2)
      .filter((cell) => cell !== '')
      .join('  '),
  ]
  return size === '' ? [place] : [place, size]
}

function below(
  texts: readonly string[],
  indent: number,
  { loses }: MachineRow,
  { style, width }: PlanLayout,
): string[] {
  const start = width < 60 ? 6 : indent
  const lost = loses.map((text) => style.red(beside(' '.repeat(start), start, `LOSES ${printable(text)}`, width)))
  return [...texts.map((text) => beside(' '.repeat(start), start, printable(text), width)), ...lost]
}

function placeCells({ host, vmid }: MachineRow): string[] {
  return [host ?? '-', vmid === null ? '' : `VM ${vmid}`]
}

function creationCells(row: MachineRow): string[] {
  return [
    ...placeCells(row),
    row.address ?? 'DHCP',
    row.cpu === null ? '' : `${row.cpu} vCPU`,
    row.memory === null ? '' : sizeText(row.memory),
    row.disks.map(({ size, volume }) => `${sizeText(size)}${volume === null ? '' : ` ${volume}`}`).join(' + '),
  ]
}

/** What happens to an existing machine, and why. */
function detailsOf({ action, reasons, disruptive }: MachineRow): string[] {
  if (action === 'create') return []
  return [`${reasons.join('; ')}${action === 'change' && disruptive ? ' (interrupts it)' : ''}`]
}

function otherLine({ action, name, text, loses }: OtherRow, nameWidth: number, { style, width }: PlanLayout): string {
  const start = `  ${signOf(action, style)} ${printable(name).padEnd(nameWidth)}  `
  const lost = loses.map((loss) => `\n${' '.repeat(nameWidth + 6)}${style.red(`LOSES ${printable(loss)}`)}`)
  return `${beside(start, nameWidth + 6, printable(text), width)}${lost.join('')}`
}

/** The command is not wrapped. */
function hintLines({ stepsHint, width }: PlanLayout): string[] {
  if (stepsHint === undefined) return []
  const line = `Every step and its reason: ${stepsHint}`
  return line.length <= width ? [line] : ['Every step and its reason:', `  ${stepsHint}`]
}

function summaryOf(rows: readonly MachineRow[], plan: Plan, { expected }: PlanLayout): string {
  const count = (action: MachineRow['action']) => rows.filter((row) => row.action === action).length
  const parts = (['create', 'change', 'delete'] as const).flatMap((action) =>
    count(action) === 0 ? [] : [{ action, count: count(action) }],
  )
  const machines = parts.map(({ action, count: number }, index) => {
    const what = index === 0 ? `${number} machine${number === 1 ? '' : 's'}` : String(number)
    return `${what} to ${action}`
  })
  const text = machines.length === 0 ? 'No machine is created, changed or deleted' : machines.join(', ')
  return `${text}.${expected === undefined ? '' : aboutText(plan, expected)}`
}

function aboutText({ steps }: Plan, expected: ReadonlyMap<string, number>): string {
  const waiting = steps.map((step) => ({ ...step, status: 'waiting' as const }))
  const ms = remainingTime(waiting, expected, 0)
  return ms === undefined || ms < 1000 ? '' : ` About ${durationText(ms)}.`
}

function withoutChanges({ cluster, steps, away, differences = [] }: Plan, style: TextStyle): string {
  if (steps.length > 0) {
    const waits = steps.map(
      ({ title, reason }) => `  ${style.signs.waiting} ${printable(title)}: ${printable(reason)}\n`,
    )
    return `${style.yellow('Nothing to change')} in ${cluster}; up would wait:\n${waits.join('')}`
  }
  if (away.length === 0 && differences.length === 0)
    return `${style.green('Nothing to do')}: ${cluster} matches the inventory.\n`
  if (away.length === 0) return `${style.yellow('Nothing to do')}: ${remaining(cluster, differences)}.\n`
  return `${style.yellow('Nothing to do now')}: ${away.join(', ')} cannot be reached.\n`
}

function remaining(cluster: string, { length }: readonly string[]): string {
  return `${cluster} differs from the inventory in ${length === 1 ? 'one thing' : `${length} things`} that ichor leaves as ${length === 1 ? 'it is' : 'they are'}`
}

/** The last line of a run with nothing to do. A cluster with differences does not match. */
export function nothingToDo(cluster: string, differences: readonly string[]): string {
  if (differences.length === 0) return `${cluster} matches the inventory: nothing to do.`
  return `Nothing to do: ${remaining(cluster, differences)}.`
}

/** What was noticed and is left unchanged. */
export function noteLines({ notes }: Pick<Plan, 'notes'>, { style, width }: PlanLayout): string {
  return notes.map((note) => `${beside(`${style.yellow('note')}  `, 6, printable(note), width)}\n`).join('')
}
