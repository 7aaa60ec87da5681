import { stripVTControlCharacters } from 'node:util'
import type { Status } from '../operations/status/status.js'
import { clockText } from './duration.js'
import { printable } from './printable.js'
import type { StepProgress } from './progress.js'
import { machineTable, summaryLines } from './status-text.js'
import { verdictOf } from './status-verdict.js'
import type { TextStyle } from './text-style.js'
import { beside, cutTo } from './wrap.js'

export const sortings = ['name', 'state', 'host'] as const

/** What the user chose. */
export interface WatchView {
  readonly sort: (typeof sortings)[number]
  readonly filter: string
  /** The filter is being typed. */
  readonly isTyping: boolean
  /** The name of the machine that keys act on. */
  readonly selected: string | undefined
  /** The log that is open in place of the table. */
  readonly log: { readonly machine: string; readonly what: 'kubelet' | 'etcd' | 'dmesg' } | undefined
}

export const firstView: WatchView = { sort: 'name', filter: '', isTyping: false, selected: undefined, log: undefined }

/** What was seen last. */
export interface WatchModel {
  readonly status: Status | undefined
  /** Why the last look failed. */
  readonly problem: string | undefined
  /** A run of this inventory that is under way, in any terminal. */
  readonly run: WatchedRun | undefined
  readonly logLines: readonly string[]
}

export interface WatchedRun {
  readonly goal: string
  readonly startedAt: number
  readonly steps: readonly StepProgress[]
}

export interface WatchMoment {
  readonly width: number
  readonly height: number
  readonly now: number
}

/** The whole screen: as many lines as it has at most, and none wider than it is. */
export function watchScreen(model: WatchModel, view: WatchView, style: TextStyle, moment: WatchMoment): string[] {
  const { width, height } = moment
  const footer = footerLine(view, style, width)
  if (view.log !== undefined) {
    const head = `${style.bold(view.log.machine)}  ${view.log.what}`
    const lines = model.logLines.slice(-Math.max(1, height - 2))
    return fitted([head, ...lines.map(printable)], footer, moment)
  }
  if (model.status === undefined) return fitted([printable(model.problem ?? 'Looking …')], footer, moment)
  const { status } = model
  const top = [
    ...headLines(status, style, moment),
    ...(model.problem === undefined ? [] : [style.yellow(`could not look again: ${printable(model.problem)}`)]),
    ...runLines(model.run, style, moment),
    ...findingLines(status, style, width, Math.max(2, Math.floor(height / 4))),
    ...(height >= 16 ? ['', ...summaryLines(status, style, width)] : []),
    '',
  ].slice(0, Math.max(1, height - 4))
  const space = Math.max(2, height - 1 - top.length)
  return fitted([...top, ...tableLines(status, view, style, width, space)], footer, moment)
}

/** The machines that match the filter, in their order. */
export function shownMachines({ machines }: Pick<Status, 'machines'>, { sort, filter }: WatchView): Status['machines'] {
  const wanted = filter.toLowerCase()
  const texts = ({ name, host, state, address }: Status['machines'][number]) => [name, host, state, address]
  const matching = machines.filter((one) => texts(one).some((text) => text?.toLowerCase().includes(wanted)))
  const byName = (one: { readonly name: string }, other: { readonly name: string }) => natural(one.name, other.name)
  return matching.toSorted((one, other) => {
    if (sort === 'state') return Number(one.ready) - Number(other.ready) || byName(one, other)
    if (sort === 'host') return natural(one.host ?? '', other.host ?? '') || byName(one, other)
    return byName(one, other)
  })
}

function natural(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** The view after a key, and what the key asks for besides. */
export function afterKey(view: WatchView, key: string, machines: readonly string[]): WatchView | 'quit' {
  if (key === 'ctrl-c') return 'quit'
  if (view.isTyping) return typed(view, key)
  if (view.log !== undefined) return key === 'q' || key === 'escape' ? { ...view, log: undefined } : view
  const at = machines.indexOf(view.selected ?? '')
  const moveTo = (index: number) => {
    const selected = machines[Math.max(0, Math.min(machines.length - 1, index))]
    return selected === undefined ? view : { ...view, selected }
  }
  const open = (what: NonNullable<WatchView['log']>['what']) => {
    const machine = view.selected ?? machines[0]
    return machine === undefined ? view : { ...view, selected: machine, log: { machine, what } }
  }
  switch (key) {
    case 'q':
      return 'quit'
    case 'escape':
      return { ...view, filter: '' }
    case 'up':
    case 'k':
      return moveTo(at - 1)
    case 'down':
    case 'j':
      return moveTo(at + 1)
    case 'page-up':
      return moveTo(at - 10)
    case 'page-down':
      return moveTo(at + 10)
    case 's':
      return { ...view, sort: sortings[(sortings.indexOf(view.sort) + 1) % sortings.length] ?? 'name' }
    case '/':
      return { ...view, isTyping: true }
    case 'enter':
    case 'l':
      return open('kubelet')
    case 'e':
      return open('etcd')
    case 'd':
      return open('dmesg')
    default:
      return view
  }
}

function typed(view: WatchView, key: string): WatchView {
  if (key === 'enter') return { ...view, isTyping: false }
  if (key === 'escape') return { ...view, isTyping: false, filter: '' }
  if (key === 'backspace') return { ...view, filter: view.filter.slice(0, -1) }
  return key.length === 1 ? { ...view, filter: view.filter + key } : view
}

function headLines(status: Status, style: TextStyle, { width, now }: WatchMoment): string[] {
  const { word, isGood } = verdictOf(status)
  const ready = status.machines.filter((machine) => machine.ready).length
  const time = new Date(now).toTimeString().slice(0, 8)
  const left = `${style.bold(printable(status.cluster))}  ${(isGood ? style.green : style.red)(word)}  ${ready} of ${status.machines.length} machines ready`
  const right = [status.endpoint, time].filter((text) => text !== null).join('  ')
  const gap = width - lengthOf(left) - right.length
  if (gap >= 2) return [`${left}${' '.repeat(gap)}${style.dim(right)}`]
  return [left]
}

/** The most urgent ones come first; what does not fit is counted. */
function findingLines(status: Status, style: TextStyle, width: number, space: number): string[] {
  const sign = `${style.red(style.signs.failed)} `
  const blocks = verdictOf(status).problems.map(({ text, fix }) =>
    beside(sign, style.signs.failed.length + 1, printable(`${text}${fix === '' ? '' : `  Fix: ${fix}`}`), width).split(
      '\n',
    ),
  )
  const lines: string[] = []
  for (const [index, block] of blocks.entries()) {
    const isLast = index === blocks.length - 1
    if (index > 0 && lines.length + block.length > (isLast ? space : space - 1))
      return [...lines, style.dim(`  and ${blocks.length - index} more: ichor doctor`)]
    lines.push(...block)
  }
  return lines
}

function runLines(run: WatchedRun | undefined, style: TextStyle, { now, width }: WatchMoment): string[] {
  if (run === undefined) return []
  const { goal, steps, startedAt } = run
  const done = steps.filter(({ status }) => status === 'done').length
  const failed = steps.find(({ status }) => status === 'failed')
  const current = failed ?? steps.find(({ status }) => status === 'running' || status === 'retrying')
  const parts = Math.max(5, Math.min(20, width - 40))
  const full = Math.floor((done / Math.max(1, steps.length)) * parts)
  const bar = style.signs.full.repeat(full) + style.signs.empty.repeat(parts - full)
  const facts = `${done} of ${steps.length}  ${clockText(now - startedAt)}`
  const what = current === undefined ? '' : `  ${printable(current.title)}`
  return [`${style.cyan(goal)}  ${bar}${bar === '' ? '' : '  '}${facts}${what}`]
}

/** The head stays; the rows around the selected machine are shown. */
function tableLines(status: Status, view: WatchView, style: TextStyle, width: number, space: number): string[] {
  const machines = shownMachines(status, view)
  if (machines.length === 0)
    return [style.dim(view.filter === '' ? 'no machines' : `no machine matches ${view.filter}`)]
  const [head = '', ...rows] = machineTable({ ...status, machines }, style, width - 2)
    .trimEnd()
    .split('\n')
  const at = Math.max(
    0,
    machines.findIndex(({ name }) => name === view.selected),
  )
  const room = Math.max(1, space - 1 - (rows.length > space - 1 ? 1 : 0))
  const first = Math.max(0, Math.min(rows.length - room, at - Math.floor(room / 2)))
  const shown = rows.slice(first, first + room)
  const marked = shown.map((row, index) => `${machines[first + index]?.name === view.selected ? '> ' : '  '}${row}`)
  const hidden = rows.length - shown.length
  return [
    `  ${style.dim(head)}`,
    ...marked,
    ...(hidden > 0 ? [style.dim(`  ${first + 1} to ${first + shown.length} of ${rows.length}`)] : []),
  ]
}

function footerLine({ sort, filter, isTyping, log }: WatchView, style: TextStyle, width: number): string {
  if (isTyping) return `filter: ${printable(filter)}_`
  if (log !== undefined) return style.dim('q back')
  const shown = filter === '' ? '/ filter' : `/ filter: ${printable(filter)}`
  const long = `up down select   l kubelet   e etcd   d kernel   s sort: ${sort}   ${shown}   q quit`
  return style.dim(long.length <= width ? long : `l e d logs  s ${sort}  ${shown}  q quit`)
}

/** Exactly the height, the footer last. */
function fitted(lines: readonly string[], footer: string, { width, height }: WatchMoment): string[] {
  const body = lines.slice(0, Math.max(0, height - 1))
  const gap = Array.from({ length: Math.max(0, height - 1 - body.length) }, () => '')
  return [...body, ...gap, footer].map((line) => (lengthOf(line) <= width ? line : cutTo(plainOf(line), width)))
}

function plainOf(text: string): string {
  return stripVTControlCharacters(text)
}

function lengthOf(text: string): number {
  return plainOf(text).length
}
