import { clockText, durationText } from './duration.js'
import { printable } from './printable.js'
import type { StepProgress } from './progress.js'
import { remainingTime } from './remaining.js'
import type { TextStyle } from './text-style.js'
import { cutTo } from './wrap.js'

export interface Moment {
  readonly cluster: string
  readonly tick: number
  readonly elapsed: number
  readonly now: number
  readonly width: number
  /** Lines that fit the terminal. */
  readonly height: number
  /** Usual duration of each kind of step, in milliseconds. */
  readonly expected: ReadonlyMap<string, number>
}

interface Group {
  readonly name: string
  readonly steps: readonly StepProgress[]
  readonly failed: StepProgress | undefined
  readonly running: StepProgress | undefined
  readonly isDone: boolean
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** A bar, one line per failed or active machine, and a count of those that are ready or waiting. */
export function picture(steps: readonly StepProgress[], style: TextStyle, moment: Moment): string[] {
  const groups = groupsOf(steps)
  const urgent = [
    ...groups.filter(({ failed }) => failed),
    ...groups.filter(({ failed, running }) => !failed && running),
  ]
  const done = groups.filter(({ name, isDone }) => isDone && name !== 'cluster').length
  const waiting = groups.filter(({ failed, running, isDone }) => !failed && !running && !isDone).length
  const counts = [
    ...(done > 0 ? [style.green(`${style.signs.ok} ${machines(done)} ready`)] : []),
    ...(waiting > 0 ? [style.dim(`${style.signs.waiting} ${waiting} waiting`)] : []),
  ]
  const space = Math.max(1, moment.height - 1 - counts.length)
  const shown = urgent.length > space ? urgent.slice(0, space - 1) : urgent
  const hidden = urgent.length - shown.length
  const nameWidth = Math.min(Math.max(7, ...shown.map(({ name }) => name.length)), Math.floor(moment.width / 3))
  return [
    barLine(steps, style, moment),
    ...shown.map((group) => groupLine(group, nameWidth, style, moment)),
    ...(hidden > 0 ? [style.dim(`  and ${hidden} more at work`)] : []),
    ...counts,
  ]
}

/** The failed machines, without animation: what stays on the screen after a run. */
export function failures(steps: readonly StepProgress[], style: TextStyle, moment: Moment): string[] {
  const failed = groupsOf(steps).filter((group) => group.failed)
  const nameWidth = Math.min(Math.max(7, ...failed.map(({ name }) => name.length)), Math.floor(moment.width / 3))
  return failed.map((group) => groupLine(group, nameWidth, style, moment))
}

function groupsOf(steps: readonly StepProgress[]): Group[] {
  const byName = new Map<string, StepProgress[]>()
  for (const step of steps) {
    const name = step.machine ?? 'cluster'
    const known = byName.get(name)
    if (known === undefined) byName.set(name, [step])
    else known.push(step)
  }
  const groups = [...byName].map(([name, own]) => ({
    name,
    steps: own,
    failed: own.find(({ status }) => status === 'failed'),
    running: own.find(({ status }) => status === 'running' || status === 'retrying'),
    isDone: own.every(({ status }) => status === 'done'),
  }))
  return groups.sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
}

function machines(count: number): string {
  return `${count} machine${count === 1 ? '' : 's'}`
}

function barLine(steps: readonly StepProgress[], style: TextStyle, moment: Moment): string {
  const done = steps.filter(({ status }) => status === 'done').length
  const facts = [`${done} of ${steps.length}`, clockText(moment.elapsed), ...leftText(steps, moment)].join('   ')
  const name = cutTo(printable(moment.cluster), 24)
  const space = Math.min(20, moment.width - name.length - facts.length - 6)
  if (space < 5) return cutTo(`${name}  ${facts}`, moment.width - 1)
  const filled = Math.floor((done / Math.max(1, steps.length)) * space)
  const bar = style.signs.full.repeat(filled) + style.signs.empty.repeat(space - filled)
  return `${style.bold(name)}  ${bar}  ${facts}`
}

/** An estimate that was overrun is no longer shown. */
function leftText(steps: readonly StepProgress[], { expected, now }: Moment): string[] {
  const isOverrun = steps.some(
    ({ status, kind, since }) =>
      status === 'running' && since !== undefined && now - since > (expected.get(kind) ?? Number.POSITIVE_INFINITY),
  )
  const left = isOverrun ? undefined : remainingTime(steps, expected, now)
  return left === undefined || left < 1000 ? [] : [`about ${durationText(left)} left`]
}

function groupLine(group: Group, nameWidth: number, style: TextStyle, moment: Moment): string {
  const name = cutTo(printable(group.name), nameWidth).padEnd(nameWidth)
  const space = moment.width - nameWidth - 5
  if (group.failed) {
    const text = `${group.failed.title}: ${group.failed.note ?? ''}`
    return `${style.red(style.signs.failed)} ${name}  ${cutTo(printable(text), space)}`
  }
  const { title = '', note, since, status } = group.running ?? {}
  const time = since === undefined ? '' : durationText(moment.now - since)
  const text = `${title}${note === undefined ? '' : `: ${note}`}${status === 'retrying' ? ' (trying again)' : ''}`
  const shown = cutTo(printable(text), Math.max(10, space - time.length - 2))
  const sign = style.cyan(frames[moment.tick % frames.length] ?? style.signs.waiting)
  return `${sign} ${name}  ${shown.padEnd(Math.max(0, Math.min(60, space - time.length - 2)))}  ${style.dim(time)}`.trimEnd()
}
