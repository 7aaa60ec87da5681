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
  }
  readonly readBack?: Readonly<Record<string, unknown>>
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
    .map((name) => ({
      name: name.replace('.json', ''),
      ...(JSON.parse(readFileSync(join(place, name), 'utf8')) as { recordedAt: string; exchanges: Exchange[] }),
    }))
    .sort((a, b) => a.recordedAt.localeCompare(b.recordedAt))
    .map(({ name, exchanges }) => ({ pve, name, exchanges: name.startsWith('22-') ? byTime(exchanges) : exchanges }))
}

/** The file about killed workers is sorted by subject; state follows time. */
function byTime(exchanges: readonly Exchange[]): Exchange[] {
  let last = 0
  const timed = exchanges.map((exchange) => {
    last = Date.parse(String(exchange.response.headers?.Date ?? '')) || last
    return { exchange, at: last }
  })
  return timed.sort((a, b) => a.at - b.at).map(({ exchange }) => exchange)
}

export function isAuthoritative({ note }: Exchange): boolean {
  return note?.startsWith('NOT authoritative') !== true
}
