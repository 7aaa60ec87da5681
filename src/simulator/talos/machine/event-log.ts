import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'

export interface LoggedEvent {
  readonly id: string
  readonly actor: string
  /** Model milliseconds. */
  readonly at: number
  /** `machine.ServiceStateEvent`. */
  readonly type: string
  readonly bytes: Uint8Array
}

const kept = 1000

/** The node's events for listeners; the last thousand are kept for late ones. */
export class EventLog {
  readonly #events: LoggedEvent[] = []
  readonly #listeners = new Set<(event: LoggedEvent) => void>()
  readonly #now: () => number
  #count = 0

  constructor(now: () => number) {
    this.#now = now
  }

  emit<Desc extends DescMessage>(schema: Desc, payload: MessageInitShape<Desc>, actor = ''): void {
    const id = (this.#count++).toString(32).padStart(20, '0')
    const bytes = toBinary(schema, create(schema, payload))
    const event = { id, actor, at: this.#now(), type: schema.typeName, bytes }
    this.#events.push(event)
    if (this.#events.length > kept) this.#events.shift()
    for (const listener of this.#listeners) listener(event)
  }

  /** Past events, oldest first. */
  past({ count, sinceId, sinceMs }: { count: number; sinceId: string; sinceMs: number }): LoggedEvent[] {
    if (sinceId !== '') return this.#events.filter(({ id }) => id > sinceId)
    if (sinceMs > 0) return this.#events.filter(({ at }) => at >= this.#now() - sinceMs)
    if (count < 0) return [...this.#events]
    return count === 0 ? [] : this.#events.slice(-count)
  }

  listen(listener: (event: LoggedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
