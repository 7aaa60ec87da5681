import type { Clock } from '../../world.js'
import type { ErrorRule } from '../model/error-rule.js'
import { isProxmoxError, ProxmoxError } from '../model/proxmox-error.js'
import { parseUpid } from '../model/upid.js'
import { listOf, text } from './fields.js'
import type { RunningTask, TaskCalls, TaskEnd, TaskRef } from './port.js'
import { createTaskPace } from './task-pace.js'
import { createTaskWatch, type FollowedTask, pathOf } from './task-watch.js'
import type { ProxmoxApi } from './transport/api.js'

/** Often enough for a reader, and never for short tasks. */
const progressEveryMs = 3000
const linesShown = 6
/** A task is not visible for an instant after its start, and its host may reboot. */
const patienceMs = { invisible: 10_000, hostDown: 180_000 }

export function taskCalls(
  api: ProxmoxApi,
  clock: Clock,
  deadlineMs: number,
  usualMs: Readonly<Record<string, number>> = {},
): TaskCalls {
  const watch = createTaskWatch(api, clock, createTaskPace(usualMs))
  return {
    wait: async (task, signal, onLine) => {
      const followed = watch.follow(task)
      try {
        return await waitForTask({ api, clock, deadlineMs, task, signal, onLine, followed })
      } finally {
        followed.end()
      }
    },
    running: async (host, signal) => {
      const tasks = listOf(await api.get(`/nodes/${host}/tasks`, { source: 'active' }, signal))
      return tasks.flatMap((task) => readTask(text(task, 'upid')) ?? [])
    },
  }
}

/** `undefined` if the text is not the name of a task. */
export function readTask(upid: string): RunningTask | undefined {
  const parsed = parseUpid(upid)
  return parsed === undefined ? undefined : { ...parsed, upid }
}

/** Lines from `start` on, without the result that Proxmox adds as the last one. */
export async function readLog(api: ProxmoxApi, task: TaskRef, start: number, signal: AbortSignal): Promise<string[]> {
  const lines = await api.get(`${pathOf(task)}/log`, { start, limit: 500 }, signal)
  return listOf(lines)
    .map((line) => text(line, 't'))
    .filter((line) => !/^TASK (OK|ERROR|WARNINGS)|^no content$/.test(line))
}

interface Waiting {
  readonly api: ProxmoxApi
  readonly clock: Clock
  readonly deadlineMs: number
  readonly task: TaskRef
  readonly signal: AbortSignal
  readonly onLine: ((line: string) => void) | undefined
  readonly followed: FollowedTask
}

async function waitForTask(waiting: Waiting): Promise<TaskEnd> {
  const { clock, signal, followed } = waiting
  const started = clock.monotonic()
  const patience = createPatience(clock)
  let shown = 0
  let reported = started
  for (;;) {
    const exitStatus = await patience(() => followed.look(signal))
    if (exitStatus !== undefined) return judge(waiting, exitStatus)
    if (clock.monotonic() - reported >= progressEveryMs) {
      shown += await handOn(waiting, shown)
      reported = clock.monotonic()
    }
    if (clock.monotonic() - started > waiting.deadlineMs) throw neverEnded(waiting)
  }
}

/** Tolerates an invisible task and an unreachable host for a while; throws anything else, and after that time. */
function createPatience(clock: Clock) {
  let since: number | undefined
  return async (look: () => Promise<string | undefined>): Promise<string | undefined> => {
    try {
      const status = await look()
      since = undefined
      return status
    } catch (thrown) {
      since ??= clock.monotonic()
      const invisible = thrown instanceof ProxmoxError && thrown.errors.upid === 'no such task'
      const away = isProxmoxError(thrown, 'host-down', 'timed-out', 'unreachable')
      const limit = invisible ? patienceMs.invisible : away ? patienceMs.hostDown : 0
      if (clock.monotonic() - since >= limit) throw thrown
      return undefined
    }
  }
}

/** Progress is optional: a log that cannot be read is ignored. */
async function handOn({ api, task, signal, onLine }: Waiting, shown: number): Promise<number> {
  if (onLine === undefined) return 0
  try {
    const lines = await readLog(api, task, shown, signal)
    for (const line of lines) onLine(line)
    return lines.length
  } catch {
    signal.throwIfAborted()
    return 0
  }
}

async function judge({ api, task, signal }: Waiting, exitStatus: string): Promise<TaskEnd> {
  if (exitStatus === 'OK') return { warnings: [] }
  const log = await lastLines(api, task, signal)
  if (exitStatus.startsWith('WARNINGS')) {
    const warnings = log.filter((line) => /^WARN/.test(line)).map((line) => line.replace(/^WARN(ING)?S?:\s*/, ''))
    return { warnings: warnings.length > 0 ? warnings : [exitStatus] }
  }
  throw new ProxmoxError({
    method: 'GET',
    path: `${pathOf(task)}/status`,
    status: 200,
    reason: exitStatus,
    upid: task.upid,
    log: log.slice(-linesShown),
    outcome: 'unknown',
  })
}

async function lastLines(api: ProxmoxApi, task: TaskRef, signal: AbortSignal): Promise<string[]> {
  try {
    const { total = 0 } = await api.call({ method: 'GET', path: `${pathOf(task)}/log`, form: { limit: 1 } }, signal)
    return await readLog(api, task, Math.max(0, total - 50), signal)
  } catch {
    signal.throwIfAborted()
    return []
  }
}

const stillRunning: ErrorRule = {
  kind: 'timed-out',
  pattern: /$/,
  message: () => 'The task does not finish.',
  fix: 'Check it in the task list of the host, stop it there if it hangs, and run the command again.',
}

function neverEnded({ task, deadlineMs }: Waiting): ProxmoxError {
  return new ProxmoxError({
    method: 'GET',
    path: `${pathOf(task)}/status`,
    status: 200,
    reason: `still running after ${Math.round(deadlineMs / 60_000)} minutes`,
    upid: task.upid,
    outcome: 'unknown',
    rule: stillRunning,
  })
}
