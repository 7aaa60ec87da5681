import { TextLog } from './text-log.js'

export type ServiceState =
  | 'Initialized'
  | 'Preparing'
  | 'Waiting'
  | 'Running'
  | 'Stopping'
  | 'Finished'
  | 'Failed'
  | 'Skipped'
  | 'Starting'

export interface ServiceEntry {
  readonly id: string
  readonly state: ServiceState
  /** `undefined` until a check has a result. */
  readonly healthy?: boolean
  readonly message: string
  /** Model milliseconds of the last change. */
  readonly changedAt: number
  readonly history: readonly { readonly state: ServiceState; readonly message: string; readonly at: number }[]
}

const keptEvents = 64

/** The services of one running system, as `talosctl services` shows them. */
export class ServiceTable {
  readonly #entries = new Map<string, ServiceEntry>()
  readonly #logs = new Map<string, TextLog>()
  readonly #now: () => number
  readonly #onChange: (entry: ServiceEntry) => void

  constructor(now: () => number, onChange: (entry: ServiceEntry) => void) {
    this.#now = now
    this.#onChange = onChange
  }

  set(id: string, state: ServiceState, message: string, healthy?: boolean): void {
    const at = this.#now()
    const known = this.#entries.get(id)
    const history = [...(known?.history ?? []), { state, message, at }].slice(-keptEvents)
    const entry = { id, state, message, changedAt: at, history, ...(healthy === undefined ? {} : { healthy }) }
    this.#entries.set(id, entry)
    this.log(id).write(`${new Date(at).toISOString()} ${id}: ${message}`)
    this.#onChange(entry)
  }

  /** Running, and its health check passes. */
  up(id: string, message = 'Started task'): void {
    this.set(id, 'Running', `${message} ${id}`)
    this.set(id, 'Running', 'Health check successful', true)
  }

  remove(id: string): void {
    this.#entries.delete(id)
  }

  clear(): void {
    this.#entries.clear()
  }

  find(id: string): ServiceEntry | undefined {
    return this.#entries.get(id)
  }

  isHealthy(id: string): boolean {
    const entry = this.#entries.get(id)
    return entry?.state === 'Running' && entry.healthy === true
  }

  list(): ServiceEntry[] {
    return [...this.#entries.values()].sort((a, b) => a.id.localeCompare(b.id))
  }

  log(id: string): TextLog {
    const known = this.#logs.get(id)
    if (known !== undefined) return known
    const fresh = new TextLog()
    this.#logs.set(id, fresh)
    return fresh
  }

  findLog(id: string): TextLog | undefined {
    return this.#logs.get(id)
  }

  restore(entries: readonly ServiceEntry[]): void {
    for (const entry of entries) this.#entries.set(entry.id, entry)
  }
}
