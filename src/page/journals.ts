import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunEvent } from '../events/event.js'
import { JournalTail } from './journal-tail.js'
import { RunSum, type RunSummary } from './run-summary.js'

const maxRuns = 50
/** A run of thousands of steps writes a few megabytes. */
const maxBytes = 64 * 1024 ** 2

/** What was read of a journal so far. */
interface Read {
  readonly size: number
  readonly summary: RunSummary | null
  /** Of a run without an end, which goes on from here. */
  readonly open?: { readonly tail: JournalTail; readonly sum: RunSum }
}

/** Reads the journals of one inventory; of one that has grown, only what is new. */
export class Journals {
  readonly #folder: string
  #read: ReadonlyMap<string, Read> = new Map()
  #listing: Promise<RunSummary[]> | undefined

  constructor(inventoryFolder: string) {
    this.#folder = join(inventoryFolder, '.ichor', 'journal')
  }

  /** The newest first. */
  list(): Promise<RunSummary[]> {
    // Two that read on from the same place would each miss what the other read.
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined
    })
    return this.#listing
  }

  async #list(): Promise<RunSummary[]> {
    const names = await readdir(this.#folder).catch(() => [])
    // Their names begin with the time at which they started.
    const newest = names
      .filter((name) => /^[\w.-]+\.jsonl$/.test(name))
      .sort()
      .slice(-maxRuns)
      .reverse()
      .map((name) => name.replace(/\.jsonl$/, ''))
    const known = this.#read
    const read = await Promise.all(newest.map(async (id) => [id, await this.#readOne(id, known.get(id))] as const))
    this.#read = new Map(read)
    return read.flatMap(([, { summary }]) => summary ?? [])
  }

  async events(id: string): Promise<RunEvent[] | undefined> {
    const path = await this.find(id)
    if (path === undefined) return undefined
    const events: RunEvent[] = []
    await readOn(path, new JournalTail(), (event) => events.push(event))
    return events
  }

  /** Its path, if there is one. A name from outside leads nowhere else, and a link is not followed. */
  async find(id: string): Promise<string | undefined> {
    if (!/^[\w.-]+$/.test(id)) return undefined
    const path = join(this.#folder, `${id}.jsonl`)
    const found = await lstat(path).catch(() => undefined)
    return found?.isFile() && found.size <= maxBytes ? path : undefined
  }

  async #readOne(id: string, known: Read | undefined): Promise<Read> {
    const path = await this.find(id)
    if (path === undefined) return { size: 0, summary: null }
    const { size } = await lstat(path)
    if (known?.size === size) return known
    const goesOn = known !== undefined && size > known.size ? known.open : undefined
    const { tail, sum } = goesOn ?? { tail: new JournalTail(), sum: new RunSum() }
    await readOn(path, tail, (event) => sum.add(event))
    const summary = sum.summary(id)
    return summary?.outcome === null ? { size, summary, open: { tail, sum } } : { size, summary }
  }
}

/** What the file holds by now after what was read before. */
async function readOn(path: string, tail: JournalTail, onEvent: (event: RunEvent) => void): Promise<void> {
  const file = await open(path, 'r')
  try {
    for (let events = await tail.next(file); events !== undefined; events = await tail.next(file))
      for (const event of events) onEvent(event)
  } finally {
    await file.close()
  }
}

const pollMs = 250
/** A journal that nothing is written to is not followed for ever. */
const maxSilentMs = 12 * 3_600_000

/** Events after the given number, then those that are written from now on, until the signal. */
export async function* followJournal(path: string, since: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const file = await open(path, 'r')
  try {
    const tail = new JournalTail()
    for (let silentMs = 0; !signal.aborted && silentMs < maxSilentMs; ) {
      const events = await tail.next(file)
      if (events === undefined) {
        await pause(pollMs, signal)
        silentMs += pollMs
        continue
      }
      silentMs = 0
      for (const event of events) if (event.seq > since) yield event
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
