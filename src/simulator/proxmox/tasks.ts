import { AsyncLocalStorage } from 'node:async_hooks'
import type { SimClock } from '../core/clock.js'
import { ApiError, taskText } from './api-error.js'
import type { DatacenterState, TaskState } from './state.js'

/** The worker was killed with SIGKILL: nothing is cleaned up, and its program keeps running unless killed too. */
class WorkerKilled extends Error {
  readonly sparesChildren: boolean

  constructor(message: string, sparesChildren: boolean) {
    super(message)
    this.sparesChildren = sparesChildren
  }
}

/** The worker was asked to end: it fails like with any other error, and cleans up. */
class WorkerStopped extends Error {}

/** What the body of a task receives. */
export interface Worker {
  readonly upid: string
  log(line: string): void
  /** Continues the last line. */
  append(text: string): void
  warn(line: string): void
  /** Waits in model time; ends early if the worker is killed or stopped. */
  sleep(modelMs: number): Promise<void>
  /** A separate program works that long: it finishes even if only the worker is killed. */
  runProgram(modelMs: number, done: () => void): Promise<void>
  readonly signal: AbortSignal
  readonly isKilled: boolean
}

export interface TaskRequest {
  readonly host: string
  readonly type: string
  readonly id: string
  readonly user: string
}

export interface Tasks {
  /** Forks a worker and returns its UPID at once. */
  start(request: TaskRequest, body: (worker: Worker) => Promise<void>): string
  find(upid: string): TaskState | undefined
  /** SIGTERM: cleans up. */
  stop(upid: string): Promise<void>
  /** SIGKILL: leaves everything; kills its programs too, as when the host loses power. */
  kill(upid: string, withPrograms: boolean): Promise<void>
  /** The first task of this call dies half-way, or fails with that text; tasks of other calls do not. */
  applyFault<T>(fault: TaskFault, call: () => Promise<T>): Promise<T>
  /** Resolves when the worker has ended. */
  ended(upid: string): Promise<void>
  /** Ends all workers; for a lab that closes. */
  close(): Promise<void>
}

interface Running {
  readonly abort: AbortController
  readonly done: Promise<void>
}

type TaskFault = { readonly kind: 'kill-task' } | { readonly kind: 'fail-task'; readonly message: string }

export function createTasks(state: DatacenterState, clock: SimClock): Tasks {
  const running = new Map<string, Running>()
  const byUpid = new Map(state.tasks.map((task) => [task.upid, task]))
  const faulty = new AsyncLocalStorage<{ fault: TaskFault | undefined }>()

  const start: Tasks['start'] = (request, body) => {
    const task = describe(state, clock, request)
    state.tasks.push(task)
    byUpid.set(task.upid, task)
    const abort = new AbortController()
    const mine = faulty.getStore()
    const fault = mine?.fault
    if (mine !== undefined) mine.fault = undefined
    const done = work(task, clock, abort, body, fault).finally(() => running.delete(task.upid))
    running.set(task.upid, { abort, done })
    return task.upid
  }

  const end = async (upid: string, reason: Error) => {
    const worker = running.get(upid)
    worker?.abort.abort(reason)
    await worker?.done
  }

  return {
    start,
    find: (upid) => byUpid.get(upid),
    stop: (upid) => end(upid, new WorkerStopped('received interrupt')),
    kill: (upid, withPrograms) => end(upid, new WorkerKilled('killed', !withPrograms)),
    applyFault: (fault, call) => faulty.run({ fault }, call),
    ended: async (upid) => {
      await running.get(upid)?.done
    },
    close: async () => {
      const left = [...running.values()]
      for (const { abort } of left) abort.abort(new WorkerKilled('the lab closes', false))
      await Promise.all(left.map(({ done }) => done))
    },
  }
}

function describe(state: DatacenterState, clock: SimClock, { host, type, id, user }: TaskRequest): TaskState {
  const owner = state.hosts[host]
  if (owner === undefined) throw new ApiError(500, `no such host '${host}'\n`)
  const pid = owner.nextPid++
  const pstart = Math.floor((clock.now() - owner.bootedAt) / 10)
  const starttime = Math.floor(clock.now() / 1000)
  const hex = (value: number) => Math.max(0, value).toString(16).toUpperCase().padStart(8, '0')
  const upid = `UPID:${host}:${hex(pid)}:${hex(pstart)}:${hex(starttime)}:${type}:${encodeId(id)}:${user}:`
  return { upid, host, pid, pstart, starttime, type, id, user, log: [], status: 'running' }
}

function encodeId(id: string): string {
  return id.replace(/[:/\s%]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

async function work(
  task: TaskState,
  clock: SimClock,
  abort: AbortController,
  body: (worker: Worker) => Promise<void>,
  fault: TaskFault | undefined,
): Promise<void> {
  let warnings = 0
  const worker: Worker = {
    upid: task.upid,
    signal: abort.signal,
    get isKilled() {
      return abort.signal.reason instanceof WorkerKilled
    },
    log: (line) => {
      if (!worker.isKilled) task.log.push(...line.split('\n'))
    },
    append: (text) => {
      const last = task.log.pop() ?? ''
      task.log.push(worker.isKilled ? last : last + text)
    },
    warn: (line) => {
      warnings++
      worker.log(`WARN: ${line}`)
    },
    sleep: (modelMs) => clock.sleep(modelMs, abort.signal),
    runProgram: async (modelMs, done) => {
      const endsAt = clock.now() + modelMs
      await worker.sleep(modelMs).catch((error: unknown) => {
        if (error instanceof WorkerKilled && error.sparesChildren) clock.after(endsAt - clock.now(), done)
        throw error
      })
      done()
    },
  }
  try {
    await clock.sleep(1, abort.signal)
    if (fault !== undefined) failHalfway(worker, abort, fault)
    await body(worker)
    if (worker.isKilled) throw abort.signal.reason
    finish(
      task,
      clock,
      warnings === 0 ? 'OK' : `WARNINGS: ${warnings}`,
      warnings === 0 ? 'TASK OK' : `TASK WARNINGS: ${warnings}`,
    )
  } catch (error) {
    if (worker.isKilled)
      return finish(task, clock, task.log.length === 0 ? 'unable to read tail (got 0 bytes)' : 'unexpected status')
    const text = taskText(error).replace(/\n/g, ' ')
    finish(task, clock, text, `TASK ERROR: ${taskText(error)}`)
  }
}

/**
 * Applies in the first pause of its work, where interruptible work happens. A failed worker cleans up; a killed one
 * does not, and its programs die with it.
 */
function failHalfway(worker: Worker, abort: AbortController, fault: TaskFault): void {
  const { sleep } = worker
  const sleepAndFail = async (modelMs: number) => {
    await sleep(modelMs / 2)
    Object.assign(worker, { sleep })
    if (fault.kind === 'fail-task') throw new Error(fault.message)
    abort.abort(new WorkerKilled('killed', false))
    throw abort.signal.reason
  }
  Object.assign(worker, { sleep: sleepAndFail })
}

function finish(task: TaskState, clock: SimClock, exitstatus: string, lastLine?: string): void {
  if (lastLine !== undefined) task.log.push(...lastLine.split('\n'))
  task.status = 'stopped'
  task.exitstatus = exitstatus
  task.endtime = Math.floor(clock.now() / 1000)
}
