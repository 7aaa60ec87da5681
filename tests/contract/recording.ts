import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** One request to a real Proxmox VE and its answer. */
export interface Exchange {
  readonly title: string
  readonly note?: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string | { readonly multipart: readonly (readonly [string, string])[] }
  }
  readonly response: {
    readonly status: number | null
    readonly reason: string | null
    readonly body: unknown
    readonly headers?: Readonly<Record<string, unknown>>
    /** How long the answer took. */
    readonly seconds?: number
  }
  readonly readBack?: Readonly<Record<string, unknown>>
  /** Milliseconds since 1970 at which it was answered: the server reports whole seconds. */
  readonly at: number
  /** Sent together with the one before it. */
  readonly isAtOnce: boolean
}

/** A file of exchanges that share state, in order. */
export interface Recording {
  readonly pve: 8 | 9
  readonly name: string
  readonly exchanges: readonly Exchange[]
}

/** Where the recordings lie; not everybody has them. */
export function findRecordings(): string | undefined {
  const folder = join(
    process.env.ICHOR_SHARED ?? resolve(import.meta.dirname, '../../../shared'),
    'reference/pve-transcripts',
  )
  return existsSync(folder) ? folder : undefined
}

/** The recordings of one version in the order in which they were made: each starts from what the one before left. */
export function loadRecordings(folder: string, pve: 8 | 9): Recording[] {
  const place = pve === 8 ? folder : join(folder, 'pve9')
  return readdirSync(place)
    .filter((name) => /^\d\d[a-z]?-.*\.json$/.test(name))
    .map((name) => {
      const { exchanges } = JSON.parse(readFileSync(join(place, name), 'utf8')) as { exchanges: Exchange[] }
      return { pve, name: name.replace('.json', ''), exchanges: inOrder(timed(exchanges)) }
    })
    .sort((a, b) => (a.exchanges[0]?.at ?? 0) - (b.exchanges[0]?.at ?? 0))
}

function timed(exchanges: readonly Exchange[]): Exchange[] {
  let at = 0
  return exchanges.map((exchange) => {
    at = Date.parse(String(exchange.response.headers?.Date ?? '')) || at
    return { ...exchange, at, isAtOnce: false }
  })
}

/** One file is sorted by subject, but state follows time. Of calls that were made at once, the one that won goes first. */
function inOrder(exchanges: readonly Exchange[]): Exchange[] {
  const byTime = [...exchanges].sort((a, b) => a.at - b.at)
  const rivalry = ({ title }: Exchange) => /^(.*parallel.*), (?:client|call) \w+$/.exec(title)?.[1]
  return byTime
    .map((exchange, i) => {
      const name = rivalry(exchange)
      const first = name === undefined ? i : byTime.findIndex((other) => rivalry(other) === name)
      return { exchange, first, lost: exchange.response.status === 200 ? 0 : 1 }
    })
    .sort((a, b) => a.first - b.first || a.lost - b.lost)
    .map(({ exchange, first }, i, all) => ({ ...exchange, isAtOnce: first === all[i - 1]?.first }))
}

/** Whether the recorder vouches for the answer. */
export function isAuthoritative({ note }: Exchange): boolean {
  return note?.startsWith('NOT authoritative') !== true
}
