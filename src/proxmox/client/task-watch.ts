import type { Clock } from '../../world.js'
import { parseUpid } from '../model/upid.js'
import { fieldsOf, listOf, text } from './fields.js'
import type { TaskRef } from './port.js'
import type { TaskPace } from './task-pace.js'
import type { ProxmoxApi } from './transport/api.js'

/** Waits until a poll is due and polls: the exit status of a task that has ended. */
export interface TaskWatch {
  follow(task: TaskRef): FollowedTask
}

export interface FollowedTask {
  /** Sleeps until a poll is due, then polls: `undefined` while the task runs. */
  look(signal: AbortSignal): Promise<string | undefined>
  end(): void
}

interface Follower {
  readonly task: TaskRef
  readonly type: string
  readonly started: number
  due: number
  /** When it was last seen running, in milliseconds after its start. */
  runningMs: number
  exitStatus: string | undefined
  wake: () => void
}

/** If its own poll is due within this time, another task's poll replaces it. */
const shareMs = 250
/** A poll waits this long to include other tasks of its host that are due by then. */
const gatherMs = 150
/** After a task of its type has ended. */
const soonMs = 100

/**
 * One request covers all tasks of a host. Of several copying tasks, on any hosts, the first is polled often and the
 * others when it has ended: most likely they copy the same data.
 */
export function createTaskWatch(api: ProxmoxApi, clock: Clock, pace: TaskPace): TaskWatch {
  const byHost = new Map<string, Set<Follower>>()

  const running = (type: string) =>
    [...byHost.values()]
      .flatMap((followers) => [...followers])
      .filter((follower) => follower.type === type && follower.exitStatus === undefined)
  const isBeside = (follower: Follower) =>
    pace.isUnknown(follower.type) && running(follower.type).some(({ started }) => started < follower.started)
  const pauseOf = (follower: Follower) =>
    pace.pauseAfter(follower.type, clock.monotonic() - follower.started, isBeside(follower))

  const settle = (follower: Follower, exitStatus: string) => {
    const endedMs = clock.monotonic() - follower.started
    pace.learn(follower.type, { runningMs: follower.runningMs, endedMs })
    follower.exitStatus = exitStatus
    follower.wake()
    if (!pace.isUnknown(follower.type)) return
    for (const other of running(follower.type)) {
      other.due = Math.min(other.due, clock.monotonic() + soonMs)
      other.wake()
    }
  }
  const seenRunning = (follower: Follower) => {
    follower.runningMs = clock.monotonic() - follower.started
    follower.due = clock.monotonic() + pauseOf(follower)
  }
  const askOne = async (follower: Follower, signal: AbortSignal) => {
    const status = fieldsOf(await api.get(`${pathOf(follower.task)}/status`, {}, signal))
    if (text(status, 'status') === 'stopped') settle(follower, text(status, 'exitstatus'))
    else seenRunning(follower)
  }
  const askAll = async (asking: Follower, followers: ReadonlySet<Follower>, signal: AbortSignal) => {
    const listed = await listTasks(api, asking.task.host, followers, signal)
    for (const follower of followers) {
      if (follower.exitStatus !== undefined) continue
      const state = listed.get(follower.task.upid)
      if (state === 'RUNNING') {
        if (follower === asking || follower.due - clock.monotonic() < shareMs) seenRunning(follower)
      } else if (state === 'OK') settle(follower, state)
    }
    const state = listed.get(asking.task.upid)
    // A failed task is queried for its error; a task that is not listed yet or any more, for its state.
    if (state !== 'RUNNING' && state !== 'OK') await askOne(asking, signal)
  }

  return {
    follow: (task) => {
      const type = parseUpid(task.upid)?.type ?? ''
      const started = clock.monotonic()
      const follower: Follower = { task, type, started, due: 0, runningMs: 0, exitStatus: undefined, wake: () => {} }
      follower.due = started + pace.firstLookAt(type, isBeside(follower))
      const followers = byHost.get(task.host) ?? new Set()
      byHost.set(task.host, followers.add(follower))
      return {
        look: async (signal) => {
          await sleepUntilDue(follower, clock, signal)
          const last = latestDue(followers, follower.due + gatherMs)
          if (last > follower.due) {
            follower.due = last
            await sleepUntilDue(follower, clock, signal)
          }
          if (follower.exitStatus !== undefined) return follower.exitStatus
          follower.due = clock.monotonic() + pauseOf(follower)
          await (followers.size === 1 ? askOne(follower, signal) : askAll(follower, followers, signal))
          return follower.exitStatus
        },
        end: () => {
          followers.delete(follower)
          if (followers.size === 0 && byHost.get(task.host) === followers) byHost.delete(task.host)
        },
      }
    },
  }
}

function latestDue(followers: ReadonlySet<Follower>, until: number): number {
  return Math.max(...[...followers].map(({ due, exitStatus }) => (exitStatus === undefined && due <= until ? due : 0)))
}

/** Until it is due, which others may postpone, or until another poll found that it has ended. */
async function sleepUntilDue(follower: Follower, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let due: number | undefined; follower.due !== due && follower.exitStatus === undefined; ) {
    signal.throwIfAborted()
    due = follower.due
    const nap = new AbortController()
    const onAbort = () => nap.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    follower.wake = () => nap.abort()
    try {
      await clock.sleep(Math.max(0, due - clock.monotonic()), nap.signal)
    } catch {
      signal.throwIfAborted()
    } finally {
      follower.wake = () => {}
      signal.removeEventListener('abort', onAbort)
    }
  }
}

/** The exit status of each task; `RUNNING` while it has none. */
async function listTasks(
  api: ProxmoxApi,
  host: string,
  followers: ReadonlySet<Follower>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const since = Math.min(...[...followers].map(({ task }) => parseUpid(task.upid)?.startedAt ?? 0))
  const tasks = listOf(await api.get(`/nodes/${host}/tasks`, { source: 'all', since, limit: 500 }, signal))
  return new Map(tasks.map((entry) => [text(entry, 'upid'), text(entry, 'status')]))
}

export function pathOf({ host, upid }: TaskRef): string {
  return `/nodes/${host}/tasks/${encodeURIComponent(upid)}`
}
