import type { Clock } from '../../world.js'
import { isProxmoxError, ProxmoxError } from '../model/proxmox-error.js'
import { parseUpid } from '../model/upid.js'
import { listOf, text } from './fields.js'
import { createSeenTasks } from './handed-out.js'
import type { RunningTask, TaskRef } from './port.js'
import { readLog, readTask } from './tasks.js'
import type { ProxmoxApi } from './transport/api.js'
import type { Call } from './transport/call.js'

/** How to identify the task of a call if the response with its name is lost. */
export interface ExpectedTask {
  readonly host: string
  /** `qmstart`, or `hastart` if HA handles the call. */
  readonly types: readonly string[]
  readonly id: string
  /** Text in its log, for tasks whose ID does not identify the object. */
  readonly mentions?: string
}

/** Makes a call that starts a task; `undefined` if Proxmox did the work at once. */
export type StartTask = (call: Call, expected: ExpectedTask, signal: AbortSignal) => Promise<TaskRef | undefined>

const looks = 4
const pauseMs = 500
/** Tasks start by the clock of their host, and responses carry that of another, in seconds. */
const clockSlackSeconds = 3

/**
 * If the response is lost, looks for the task that our token started on that object since then. If it exists, the call
 * took effect; otherwise the error is thrown with an unknown outcome.
 */
export function createStartTask(api: ProxmoxApi, clock: Clock): StartTask {
  const handedOut = createSeenTasks()

  const remember = (task: TaskRef) => {
    handedOut.add(task.upid)
    return task
  }

  const findOurs = async (expected: ExpectedTask, since: number | undefined, signal: AbortSignal) => {
    const query = { source: 'all', since, limit: 500 }
    const tasks = listOf(await api.get(`/nodes/${expected.host}/tasks`, query, signal))
      .flatMap((entry) => readTask(text(entry, 'upid')) ?? [])
      .filter((task) => task.user === api.identity && fits(task, expected) && !handedOut.has(task.upid))
    for (const task of tasks) {
      if (expected.mentions === undefined) return task
      const log = await readLog(api, task, 0, signal)
      if (log.some((line) => line.includes(expected.mentions ?? ''))) return task
    }
    return undefined
  }

  const search = async (expected: ExpectedTask, since: number | undefined, lost: ProxmoxError, signal: AbortSignal) => {
    for (let look = 1; look <= looks; look++) {
      const found = await findOurs(expected, since, signal).catch(() => undefined)
      signal.throwIfAborted()
      if (found !== undefined) return remember({ host: found.host, upid: found.upid })
      if (look < looks) await clock.sleep(pauseMs, signal)
    }
    throw lost
  }

  return async (call, expected, signal) => {
    const heard = api.lastHeard()
    const since = heard === undefined ? undefined : Math.floor(heard / 1000) - clockSlackSeconds
    try {
      const { data } = await api.call(call, signal)
      const upid = parseUpid(data)
      return upid === undefined ? undefined : remember({ host: upid.host, upid: String(data) })
    } catch (thrown) {
      if (!isProxmoxError(thrown) || thrown.outcome !== 'unknown') throw thrown
      return search(expected, since, thrown, signal)
    }
  }
}

function fits(task: RunningTask, { types, id }: ExpectedTask): boolean {
  return types.includes(task.type) && task.id === id
}

/** For calls that always start a worker: an answer without its name is invalid. */
export function taskOf({ method, path }: Call, task: TaskRef | undefined): TaskRef {
  if (task !== undefined) return task
  throw new ProxmoxError({ method, path, status: 200, reason: 'no task in the answer', outcome: 'unknown' })
}
