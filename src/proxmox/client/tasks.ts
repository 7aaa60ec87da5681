import type { Clock } from '../../world.js'
import type { ErrorRule } from '../model/error-rule.js'
import { isProxmoxError, ProxmoxError } from '../model/proxmox-error.js'
import { parseUpid } from '../model/upid.js'
import { fieldsOf, listOf, text } from './fields.js'
import type { RunningTask, TaskCalls, TaskEnd, TaskRef } from './port.js'
import type { ProxmoxApi } from './transport/api.js'

const firstPollMs = 50
const slowestPollMs = 1000
/** A person reads progress; nobody needs more of it. */
const progressEveryMs = 1000
const linesShown = 6
/** A task is not visible for an instant after its start, and its host may reboot under it. */
const patienceMs = { invisible: 10_000, hostDown: 180_000 }

export function taskCalls(api: ProxmoxApi, clock: Clock, deadlineMs: number): TaskCalls {
  return {
    wait: (task, signal, onLine) => waitForTask({ api, clock, deadlineMs, task, signal, onLine }),
    running: async (host, signal) => {
      const tasks = listOf(await api.get(`/nodes/${host}/tasks`, { source: 'active' }, signal))
      return tasks.flatMap((task) => readTask(text(task, 'upid')) ?? [])
    },
    stop: async (task, signal) => void (await api.delete(pathOf(task), {}, signal)),
  }
}

/** `undefined` for text that names no worker. */
export function readTask(upid: string): RunningTask | undefined {
  const parsed = parseUpid(upid)
  return parsed === undefined ? undefined : { ...parsed, upid }
}

/** Lines `start` and after, without the verdict that Proxmox adds as the last one. */
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
}

async function waitForTask(waiting: Waiting): Promise<TaskEnd> {
  const { api, clock, task, signal } = waiting
  const started = clock.monotonic()
  const patience = createPatience(clock)
  let shown = 0
  let reported = started
  for (;;) {
    const status = await patience(() => api.get(`${pathOf(task)}/status`, {}, signal))
    const ended = text(fieldsOf(status), 'status') === 'stopped'
    if (ended || clock.monotonic() - reported >= progressEveryMs) {
      shown += await handOn(waiting, shown)
      reported = clock.monotonic()
    }
    if (ended) return judge(waiting, text(fieldsOf(status), 'exitstatus'))
    if (clock.monotonic() - started > waiting.deadlineMs) throw neverEnded(waiting)
    await clock.sleep(pauseAfter(clock.monotonic() - started), signal)
  }
}

/** An end is noticed within a tenth of what the task took, and within a second. */
function pauseAfter(elapsedMs: number): number {
  return Math.min(slowestPollMs, Math.max(firstPollMs, elapsedMs / 10))
}

/** Bears an invisible task and a host that is away for a while; anything else, or for longer, is thrown. */
function createPatience(clock: Clock) {
  let since: number | undefined
  return async (look: () => Promise<unknown>): Promise<unknown> => {
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

/** Progress is a courtesy: a log that cannot be read fails nothing. */
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
  message: () => 'The task does not come to an end.',
  fix: 'Look at it in the task list of the host, stop it there if it hangs, and run the command again.',
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

function pathOf({ host, upid }: TaskRef): string {
  return `/nodes/${host}/tasks/${encodeURIComponent(upid)}`
}
