import { sizeText } from '../../cluster/size-text.js'
import type { MachineRow, OtherRow, PlanView } from '../../events/plan-view.js'
import { byCause } from '../../findings/by-cause.js'
import type { Finding } from '../../findings/finding.js'
import { noteText } from '../../findings/notes/define-note.js'
import { cureText } from '../cure-text.js'
import { durationText } from '../duration.js'
import { printable } from '../printable.js'
import { remainingTime } from '../remaining.js'
import type { TextStyle } from '../text-style.js'
import { beside, wrapWords } from '../wrap.js'

export interface PlanLayout {
  readonly style: TextStyle
  readonly width: number
  /** Usual duration of each kind of step, in milliseconds. */
  readonly expected?: ReadonlyMap<string, number>
  /** The command that shows every step; omitted if already shown. */
  readonly stepsHint?: string
}

/** The plan as text: a table of what is created, changed and deleted, and what is lost. */
export function planText(plan: PlanView, layout: PlanLayout): string {
  const { style, width } = layout
  const notes = noteLines(plan, layout)
  if (plan.changes === 0) return `${withoutChanges(plan, style)}${notes}`
  const { machines, others } = plan
  const names = [...machines, ...others].map(({ name }) => name.length)
  const nameWidth = Math.min(Math.max(...names), Math.max(12, Math.floor(width / 3)))
  const lines = [
    ...headerLines(plan, style, width),
    '',
    ...machineLines(machines, nameWidth, layout),
    ...others.map((row) => otherLine(row, nameWidth, layout)),
    '',
    ...wrapWords(summaryOf(plan, layout), width).map(style.bold),
    ...hintLines(layout).map(style.dim),
  ]
  return `${lines.join('\n')}\n${notes}`
}

function headerLines(plan: PlanView, style: TextStyle, width: number): string[] {
  const { cluster, hosts, talos_version, kubernetes_version, endpoint } = plan
  const shown = hosts.length > 6 ? `${hosts.length} hosts` : hosts.join(', ')
  const facts = [
    `${cluster}${hosts.length === 0 ? '' : ` on ${shown}`}`,
    `Talos ${versionText(plan.running_talos, talos_version)}`,
    `Kubernetes ${versionText(plan.running_kubernetes, kubernetes_version)}`,
    ...(endpoint === null ? [] : [endpoint]),
  ]
  const line = facts.join(`${style.signs.dot} `)
  const [first = '', ...rest] = line.length <= width ? [line] : facts
  return [style.bold(printable(first)), ...rest.map((text) => `  ${printable(text)}`)]
}

/** `v1.13.9 -> v1.14.0` while machines run something else. */
function versionText(running: readonly string[] | undefined, wanted: string): string {
  const others = (running ?? []).filter((version) => version !== wanted)
  return others.length === 0 ? wanted : `${others.join(', ')} -> ${wanted}`
}

const actionSigns = { create: '+', change: '~', replace: '-/+', delete: '-' } as const

function signOf(action: MachineRow['action'], { green, yellow, red }: TextStyle): string {
  return { create: green, change: yellow, replace: red, delete: red }[action](actionSigns[action])
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

function placeCells({ host, vmid }: MachineRow | OtherRow): string[] {
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

/** What happens to an existing machine, and why: a line each. */
function detailsOf({ action, reasons, disruptive }: MachineRow): string[] {
  if (action === 'create') return []
  const end = action !== 'delete' && disruptive ? ' (interrupts it)' : ''
  return reasons.map((reason, index) => (index === reasons.length - 1 ? `${reason}${end}` : reason))
}

function otherLine(row: OtherRow, nameWidth: number, { style, width }: PlanLayout): string {
  const { action, name, loses } = row
  const text = row.host === null ? row.text : [...placeCells(row), row.text].join('  ')
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

function summaryOf(plan: PlanView, { expected }: PlanLayout): string {
  const count = (action: MachineRow['action']) => plan.machines.filter((row) => row.action === action).length
  const parts = (['create', 'change', 'replace', 'delete'] as const).flatMap((action) =>
    count(action) === 0 ? [] : [{ action, count: count(action) }],
  )
  const machines = parts.map(({ action, count: number }, index) => {
    const what = index === 0 ? `${number} machine${number === 1 ? '' : 's'}` : String(number)
    return `${what} to ${action}`
  })
  const all = machines.length === 0 ? 'No machine is created, changed or deleted' : machines.join(', ')
  const text = `${all}${interruptionsOf(plan, expected)}`
  return `${text}.${expected === undefined ? '' : aboutText(plan, expected)}`
}

/** What the plan interrupts, as far as it shows, and for how long where every step of it has run here before. */
function interruptionsOf({ machines, steps }: PlanView, expected: PlanLayout['expected']): string {
  const interrupted = machines.filter(
    ({ action, disruptive }) => (action === 'change' || action === 'replace') && disruptive,
  )
  if (interrupted.length === 0) return ''
  const times = interrupted.map(({ name }) => interruptionOf(name, steps, expected))
  const known = times.flatMap((ms) => ms ?? [])
  const total = durationText(known.reduce((sum, ms) => sum + ms, 0))
  const isKnown = known.length === times.length
  if (interrupted.length === 1) return `; one machine is interrupted${isKnown ? ` for about ${total}` : ''}`
  const each = isKnown ? `: about ${durationText(Math.max(...known))} each, ${total} in all` : ''
  return `; ${interrupted.length} machines are interrupted, in turn${each}`
}

/** From the first step that interrupts it to the last one that brings it back. */
function interruptionOf(name: string, steps: PlanView['steps'], expected: PlanLayout['expected']): number | undefined {
  const own = steps.filter(({ machine }) => machine === name)
  const away = own.slice(own.findIndex(({ disruptive }) => disruptive))
  const times = away.map(({ kind }) => expected?.get(kind))
  return times.reduce((sum, ms) => (sum === undefined || ms === undefined ? undefined : sum + ms), 0)
}

/** What is not seen yet may need more rounds than the plan has. */
function aboutText({ steps, unknown, away }: PlanView, expected: ReadonlyMap<string, number>): string {
  if (unknown.length > 0 || away.length > 0) return ''
  const waiting = steps.map((step) => ({ ...step, status: 'waiting' as const }))
  const ms = remainingTime(waiting, expected, 0)
  return ms === undefined || ms < 1000 ? '' : ` About ${durationText(ms)}.`
}

function withoutChanges({ cluster, steps, away, differences }: PlanView, style: TextStyle): string {
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

/** What was noticed and is left unchanged; what is only worth knowing of the rest is for `doctor`. */
export function noteLines({ notes, findings }: Pick<PlanView, 'notes' | 'findings'>, layout: PlanLayout): string {
  const { style, width } = layout
  const lines = notes.map((note) => beside(`${style.yellow('note')}  `, 6, printable(note), width))
  const others = findings.filter((finding) => !notes.includes(noteText(finding)))
  const groups = byCause(others).filter(({ finding }) => finding.severity !== 'info')
  return [...lines, ...groups.map(({ finding }) => findingLine(finding, layout))].map((line) => `${line}\n`).join('')
}

function findingLine({ severity, title, code, cure }: Finding, { style, width }: PlanLayout): string {
  const sign = severity === 'blocks' ? style.red('error') : style.yellow('warn ')
  const fix = cureText(cure)
  return beside(`${sign} `, 6, printable(`${title}${fix === '' ? '' : ` ${fix}`} (${code})`), width)
}
