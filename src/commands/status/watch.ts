import { setTimeout as wait } from 'node:timers/promises'
import { reasonOf } from '../../errors.js'
import { lastRun } from '../../events/history.js'
import type { Session } from '../../operations/session.js'
import type { Status } from '../../operations/status/status.js'
import { textStyle } from '../../report/text-style.js'
import {
  afterKey,
  firstView,
  shownMachines,
  type WatchModel,
  type WatchView,
  watchScreen,
} from '../../report/watch-screen.js'
import type { Context, Output } from '../frame/context.js'
import { keysIn } from '../frame/keys.js'
import { getNodeTarget } from '../node-targets.js'
import { runUnderWay } from './run-under-way.js'

const lookEveryMs = 2000
const drawEveryMs = 200
const maxLogLines = 2000

const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l'

/** A screen to stay on until q or Ctrl-C. Nothing of it is left on the terminal. */
export async function watchOnScreen(
  look: () => Promise<Status>,
  session: Session,
  { stdin, stdout, env, signal }: Context,
): Promise<void> {
  const ended = new AbortController()
  const stop = AbortSignal.any([signal, ended.signal])
  let view = firstView
  let model: WatchModel = { status: undefined, problem: undefined, run: undefined, logLines: [] }
  let log: AbortController | undefined
  const paint = createPainter(stdout)
  const draw = () => paint((moment) => watchScreen(model, view, textStyle(stdout, env), moment))
  const openLog = (wanted: NonNullable<WatchView['log']>) => {
    log = new AbortController()
    const own = AbortSignal.any([stop, log.signal])
    model = { ...model, logLines: [] }
    const add = (lines: readonly string[]) => {
      if (!own.aborted) model = { ...model, logLines: [...model.logLines, ...lines].slice(-maxLogLines) }
    }
    readLog(wanted, session, add, own).catch((thrown) => add([reasonOf(thrown)]))
  }
  const onData = (chunk: Buffer) => {
    for (const key of keysIn(String(chunk))) {
      const before = view.log
      const machines = model.status === undefined ? [] : shownMachines(model.status, view).map(({ name }) => name)
      const next = afterKey(view, key, machines)
      if (next === 'quit') return ended.abort()
      view = next
      if (view.log === before) continue
      log?.abort()
      if (view.log !== undefined) openLog(view.log)
    }
    draw()
  }
  const restore = () => {
    stdin.off('data', onData)
    stdin.setRawMode?.(false)
    stdin.pause()
    stdout.write(leave)
  }
  process.once('exit', restore)
  stdin.setRawMode?.(true)
  stdin.on('data', onData)
  stdin.resume()
  stdout.write(enter)
  const timer = setInterval(draw, drawEveryMs)
  try {
    while (!stop.aborted) {
      const run = runUnderWay(lastRun(session.inventory.folder), Date.now())
      const seen = await look().then(
        (status) => ({ status, problem: undefined }),
        (thrown: unknown) => ({ status: model.status, problem: reasonOf(thrown) }),
      )
      model = { ...model, ...seen, run }
      await wait(lookEveryMs, undefined, { signal: stop }).catch(() => undefined)
    }
  } finally {
    clearInterval(timer)
    log?.abort()
    process.off('exit', restore)
    restore()
  }
}

/**
 * Writes only the lines that differ from what the terminal has; after a resize all of them. Each line is erased first:
 * after the last column, the cursor is still on it.
 */
function createPainter(stdout: Output) {
  let shown: readonly string[] = []
  let last = ''
  return (linesAt: (moment: { width: number; height: number; now: number }) => readonly string[]) => {
    const [width, height] = stdout.getWindowSize?.() ?? [stdout.columns ?? 80, stdout.rows ?? 24]
    const size = `${width}x${height}`
    const isResized = size !== last
    const lines = linesAt({ width: Math.max(20, width), height: Math.max(4, height), now: Date.now() })
    const changed = lines.flatMap((line, index) =>
      !isResized && shown[index] === line ? [] : [`\u001b[${index + 1};1H\u001b[K${line}`],
    )
    if (changed.length > 0) stdout.write(`\u001b[?2026h${changed.join('')}\u001b[?2026l`)
    shown = lines
    last = size
  }
}

async function readLog(
  { machine, what }: NonNullable<WatchView['log']>,
  { inventory, world }: Session,
  add: (lines: readonly string[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { address } = await getNodeTarget(machine, inventory, world, signal)
  const node = world.talos.node({ machine, address })
  const bytes =
    what === 'dmesg'
      ? node.dmesg({ follow: true, tail: false }, signal)
      : node.logs({ service: what, namespace: 'system', follow: true, tailLines: 200 }, signal)
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    add(lines)
  }
}
