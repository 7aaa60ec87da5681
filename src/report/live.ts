import type { NewEvent } from '../events/event.js'
import { clearBelow } from './clear-below.js'
import { failures, type Moment, picture } from './live-picture.js'
import { printable } from './printable.js'
import { progress, type StepProgress } from './progress.js'
import type { TextStyle } from './text-style.js'
import { beside } from './wrap.js'

export interface LiveScreen {
  show(event: NewEvent): void
  /** Leaves failures on the screen; a successful run leaves nothing. */
  end(): void
}

/** `columns` follows a resize only once the process handles the signal; `getWindowSize` is always current. */
interface LiveOutput {
  write(text: string): unknown
  getWindowSize?(): [number, number]
  readonly columns?: number
  readonly rows?: number
}

const drawEveryMs = 100

/** Running, failed and waiting steps, redrawn in place. Only for a terminal. */
export function createLive(
  output: LiveOutput,
  style: TextStyle,
  now: () => number,
  expected: ReadonlyMap<string, number>,
): LiveScreen {
  let steps: ReadonlyMap<string, StepProgress> = new Map()
  let isDrawn = false
  let tick = 0
  let started: number | undefined
  let cluster = ''
  let isDone = false
  let isForeseen = true

  const size = () => output.getWindowSize?.() ?? [output.columns ?? 80, output.rows ?? 24]
  const width = () => Math.max(20, size()[0])
  const moment = (): Moment => ({
    cluster,
    tick: tick++,
    elapsed: now() - (started ?? now()),
    now: now(),
    width: width(),
    height: Math.max(4, size()[1] - 1),
    expected: isForeseen ? expected : new Map(),
  })
  const draw = () => {
    if (steps.size === 0 || started === undefined) return
    output.write(frame(picture([...steps.values()], style, moment())))
    isDrawn = true
  }
  const erase = () => {
    if (isDrawn) output.write(clearBelow)
    isDrawn = false
  }
  const timer = setInterval(draw, drawEveryMs)
  timer.unref()
  return {
    show: (event) => {
      steps = progress(steps, event)
      if (event.type === 'run.started') {
        started ??= Date.parse(event.at)
        cluster = event.cluster
        isForeseen = (event.plan?.unknown ?? []).length === 0 && (event.plan?.away ?? []).length === 0
      }
      if (event.type === 'run.finished') isDone = event.outcome === 'done'
      if (event.type !== 'run.noted') return
      erase()
      const label = event.severity === 'warning' ? style.yellow('warn') : style.dim('note')
      output.write(`${beside(`${label}  `, 6, printable(event.text), width())}\n`)
    },
    end: () => {
      clearInterval(timer)
      erase()
      if (!isDone) for (const line of failures([...steps.values()], style, moment())) output.write(`${line}\n`)
    },
  }
}

/**
 * Draws from the cursor position, the start of the first line, and ends there. A resized terminal wraps its lines again
 * and keeps the cursor on its line. That may happen in the midst of a frame, too: rows are only counted while what is
 * below the first line is empty, and lines are written from the last one upwards, so that none of them is ever above the
 * cursor. Without autowrap, a line takes one row even if the terminal became narrower after its size was read.
 */
function frame(lines: readonly string[]): string {
  const room = '\n'.repeat(lines.length - 1)
  return `\u001b[?2026h${clearBelow}\u001b[?7l${room}${[...lines].reverse().join('\r\u001b[1A')}\r\u001b[?7h\u001b[?2026l`
}
