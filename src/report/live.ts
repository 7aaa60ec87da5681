import type { RunEvent } from '../events.js'
import { durationText } from './duration.js'
import { progress, type StepProgress } from './progress.js'
import { remainingTime } from './remaining.js'
import type { TextStyle } from './text-style.js'

export interface LiveScreen {
  show(event: RunEvent): void
  /** Leaves the last picture on the screen. */
  end(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const drawEveryMs = 100

/** A tree of machines and what each is doing, drawn over itself. Only for a terminal. */
export function createLive(
  output: { write(text: string): unknown; columns?: number; rows?: number },
  style: TextStyle,
  now: () => number,
  expected: ReadonlyMap<string, number>,
): LiveScreen {
  let steps: ReadonlyMap<string, StepProgress> = new Map()
  let drawn = 0
  let tick = 0
  const started = now()

  const draw = () => {
    if (steps.size === 0) return
    const lines = picture([...steps.values()], style, {
      tick: tick++,
      elapsed: now() - started,
      now: now(),
      width: output.columns ?? 80,
      height: Math.max(5, (output.rows ?? 24) - 1),
      expected,
    })
    output.write(`${overLast(drawn)}${lines.join('\n')}\n`)
    drawn = lines.length
  }
  const timer = setInterval(draw, drawEveryMs)
  timer.unref()

  return {
    show: (event) => {
      steps = progress(steps, event)
      if (event.type === 'run.noted') {
        output.write(
          `${overLast(drawn)}${event.severity === 'warning' ? style.yellow('warn') : style.dim('note')} ${event.text}\n`,
        )
        drawn = 0
      }
    },
    end: () => {
      clearInterval(timer)
      draw()
    },
  }
}

/** Back to the first column as well: the terminal has echoed a `^C` there. */
function overLast(lines: number): string {
  return lines > 0 ? `\r\u001b[${lines}A\u001b[0J` : ''
}

interface Moment {
  readonly tick: number
  readonly elapsed: number
  readonly now: number
  readonly width: number
  /** Lines that the terminal can show. */
  readonly height: number
  /** Milliseconds that a kind of step usually takes. */
  readonly expected: ReadonlyMap<string, number>
}

/** One line a machine, and one for what concerns all of them; where there is no room for all, those that are at work. */
export function picture(steps: readonly StepProgress[], style: TextStyle, moment: Moment): string[] {
  const groups = new Map<string, StepProgress[]>()
  for (const step of steps) groups.set(step.machine ?? '', [...(groups.get(step.machine ?? '') ?? []), step])
  const names = [...groups.keys()].sort((one, other) =>
    one === '' ? -1 : other === '' ? 1 : one.localeCompare(other, 'en', { numeric: true }),
  )
  const width = Math.max(7, ...names.map((name) => name.length))
  const done = steps.filter(({ status }) => status === 'done').length
  const shown = mostUrgent(names, groups, moment.height - 1)
  const hidden = names.length - shown.length
  const summary = `${done} of ${steps.length} steps, ${durationText(moment.elapsed)}${leftText(steps, moment)}`
  return [
    ...shown.map((name) => groupLine(name === '' ? 'cluster' : name, groups.get(name) ?? [], style, moment, width)),
    ...(hidden === 0 ? [] : [style.dim(cut(`and ${hidden} machines more`, moment.width - 1))]),
    style.dim(cut(summary, moment.width - 1)),
  ]
}

/** What failed or runs is worth a line before what waits, and that before what is done; the order stays. */
function mostUrgent(
  names: readonly string[],
  groups: ReadonlyMap<string, readonly StepProgress[]>,
  room: number,
): readonly string[] {
  if (names.length <= room) return names
  const rank = (name: string) => {
    const statuses = (groups.get(name) ?? []).map(({ status }) => status)
    if (statuses.includes('failed')) return 0
    if (statuses.includes('running') || statuses.includes('retrying')) return 1
    return statuses.every((status) => status === 'done') ? 3 : 2
  }
  const kept = new Set([...names].sort((one, other) => rank(one) - rank(other)).slice(0, room - 1))
  return names.filter((name) => kept.has(name))
}

function leftText(steps: readonly StepProgress[], { expected, now }: Moment): string {
  const left = remainingTime(steps, expected, now)
  return left === undefined || left < 500 ? '' : `, about ${durationText(left)} left`
}

function groupLine(
  name: string,
  steps: readonly StepProgress[],
  style: TextStyle,
  moment: Moment,
  width: number,
): string {
  const failed = steps.find(({ status }) => status === 'failed')
  const running = steps.find(({ status }) => status === 'running' || status === 'retrying')
  const done = steps.filter(({ status }) => status === 'done').length
  const isOver = done === steps.length
  const sign = failed
    ? style.red('✗')
    : isOver
      ? style.green('✓')
      : running
        ? style.cyan(frames[moment.tick % frames.length] ?? '·')
        : style.dim('·')
  const text = failed
    ? `${failed.title}: ${failed.note ?? ''}`
    : running
      ? runningText(running, moment)
      : isOver
        ? 'done'
        : done > 0
          ? 'waits its turn'
          : 'waits'
  const bar = `${done}/${steps.length}`.padStart(5)
  return `${sign} ${name.padEnd(width)} ${style.dim(bar)}  ${cut(text, moment.width - width - 11)}`
}

function runningText({ title, kind, since, note }: StepProgress, { now, expected }: Moment): string {
  const usual = expected.get(kind)
  const about = usual === undefined ? '' : ` of about ${durationText(usual)}`
  const elapsed = since === undefined ? '' : ` (${durationText(now - since)}${about})`
  return `${title}${elapsed}${note === undefined ? '' : `: ${note}`}`
}

function cut(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= width ? line : `${line.slice(0, Math.max(1, width - 1))}…`
}
