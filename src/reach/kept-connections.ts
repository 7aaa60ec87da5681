/** Connections by address, kept while they are in use. */
export interface KeptConnections<T> {
  get(address: string, open: () => T): T
  all(): readonly T[]
  /** Closes all connections. */
  clear(): void
}

const idleMs = 60 * 60_000

/**
 * Addresses change while a process runs for weeks: a connection that was unused for an hour is closed when the next new
 * one is opened.
 */
export function createKeptConnections<T>(options: {
  monotonic: () => number
  isBusy: (connection: T) => boolean
  close: (connection: T) => void
}): KeptConnections<T> {
  const kept = new Map<string, { connection: T; usedAt: number }>()

  const closeIdle = () => {
    for (const [address, { connection, usedAt }] of kept) {
      if (options.monotonic() - usedAt < idleMs || options.isBusy(connection)) continue
      options.close(connection)
      kept.delete(address)
    }
  }

  return {
    get: (address, open) => {
      const known = kept.get(address)
      if (known === undefined) closeIdle()
      const entry = known ?? { connection: open(), usedAt: 0 }
      entry.usedAt = options.monotonic()
      kept.set(address, entry)
      return entry.connection
    },
    all: () => [...kept.values()].map(({ connection }) => connection),
    clear: () => {
      for (const { connection } of kept.values()) options.close(connection)
      kept.clear()
    },
  }
}
