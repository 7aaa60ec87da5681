import { lstat, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunEvent } from '../events/event.js'
import type { RunSummary } from './run-summary.js'

const maxRuns = 50
/** A run of thousands of steps writes a few megabytes. */
const maxBytes = 64 * 1024 ** 2

/** Reads the journals of one inventory; a journal that has not changed is not read again. */
export class Journals {
  readonly #folder: string
  readonly #read = new Map<string, { readonly size: number; readonly summary: RunSummary | null }>()

  constructor(inventoryFolder: string) {
    this.#folder = join(inventoryFolder, '.ichor', 'journal')
  }

  /** The newest first. */
  async list(): Promise<RunSummary[]> {
    const names = await readdir(this.#folder).catch(() => [])
    // Their names begin with the time at which they started.
    const newest = names
      .filter((name) => /^[\w.-]+\.jsonl$/.test(name))
      .sort()
      .slice(-maxRuns)
      .reverse()
    const summaries = await Promise.all(newest.map((name) => this.#summary(name)))
    return summaries.filter((summary) => summary !== null)
  }

  async events(id: string): Promise<RunEvent[] | undefined> {
    const path = await this.find(id)
    return path === undefined ? undefined : eventsIn(await readFile(path, 'utf8'))
  }

  /** Its path, if there is one. A name from outside leads nowhere else, and a link is not followed. */
  async find(id: string): Promise<string | undefined> {
    if (!/^[\w.-]+$/.test(id)) return undefined
    const path = join(this.#folder, `${id}.jsonl`)
    const found = await lstat(path).catch(() => undefined)
    return found?.isFile() && found.size <= maxBytes ? path : undefined
  }

  async #summary(name: string): Promise<RunSummary | null> {
    const id = name.replace(/\.jsonl$/, '')
    const path = await this.find(id)
    if (path === undefined) return null
    const { size } = await lstat(path)
    const known = this.#read.get(id)
    if (known?.size === size) return known.summary
    const summary = summaryOf(id, eventsIn(await readFile(path, 'utf8')))
    this.#read.set(id, { size, summary })
    return summary
  }
}

/** A line that a kill cut off is skipped. */
function eventsIn(text: string): RunEvent[] {
  return text.split('\n').flatMap((line) => {
    const event = parsed(line)
    return event === undefined ? [] : [event]
  })
}

function parsed(line: string): RunEvent | undefined {
  if (line === '') return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'seq' in value && 'type' in value
      ? (value as RunEvent)
      : undefined
  } catch {
    return undefined
  }
}

/** A journal may hold several goals, such as those of a drill: the first began it, the last ended it. */
function summaryOf(id: string, events: readonly RunEvent[]): RunSummary | null {
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return null
  const steps = new Set<string>()
  const done = new Set<string>()
  let goal: string | undefined
  let started: string | undefined
  for (const event of events) {
    if (event.type === 'run.started') {
      goal ??= event.goal
      started ??= event.at
    }
    if (event.type === 'run.started' || event.type === 'round.started')
      for (const step of event.steps) steps.add(step.id)
    if (event.type === 'step.finished') done.add(event.step)
  }
  const end = last.type === 'run.finished' ? last : undefined
  return {
    id,
    goal: goal ?? 'run',
    started: started ?? first.at,
    last: last.at,
    outcome: end?.outcome ?? null,
    ms: end === undefined ? null : Date.parse(end.at) - Date.parse(started ?? first.at),
    changed: end?.changed ?? 0,
    steps: steps.size,
    done: done.size,
    failed: end?.failed.length ?? 0,
  }
}

const pollMs = 250
/** A journal that nothing is written to is not followed for ever. */
const maxSilentMs = 12 * 3_600_000

/** Events after the given number, then those that are written from now on, until the signal. */
export async function* followJournal(path: string, since: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const file = await open(path, 'r')
  try {
    let rest = ''
    let position = 0
    const decoder = new TextDecoder()
    const buffer = Buffer.alloc(256 * 1024)
    for (let silentMs = 0; !signal.aborted && silentMs < maxSilentMs; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) {
        await pause(pollMs, signal)
        silentMs += pollMs
        continue
      }
      silentMs = 0
      position += bytesRead
      const lines = (rest + decoder.decode(buffer.subarray(0, bytesRead), { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const event = parsed(line)
        if (event !== undefined && event.seq > since) yield event
      }
    }
  } finally {
    await file.close()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
