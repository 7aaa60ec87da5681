import { randomInt } from 'node:crypto'
import { type KeyPlace, placeOfKey } from './key-place.js'

export interface LiveKeys {
  put(key: Buffer): void
  delete(key: Buffer): void
  readonly total: number
  counts(): { readonly place: KeyPlace; readonly count: number }[]
}

const isLiveArtifact = 0x80000000
const fullAt = 0.8
const slash = 0x2f

/** Deep enough for the folder alone to decide, such as `/registry/pods/default`. */
function isDeep(folder: string): boolean {
  return folder.indexOf('/', folder.indexOf('/', 1) + 1) > 0 && folder.startsWith('/registry/')
}

/**
 * The keys that exist after all revisions so far. Stores a 64-bit hash and a number per key instead of the key itself,
 * so that a million keys need about 20 MB. The hash is seeded randomly, so that collisions cannot be prepared.
 */
export function createLiveKeys(): LiveKeys {
  const seeds = [randomInt(2 ** 32), randomInt(2 ** 32)] as const
  const places: KeyPlace[] = []
  const counts: number[] = []
  const indexes = new Map<string, number>()
  const folders = new Map<string, number>()
  let table = createTable(1 << 12)
  let total = 0

  // Keys of one folder belong to one place, and most keys share a folder with thousands.
  const placeIndex = (key: Buffer): number => {
    const folder = key.toString('latin1', 0, Math.max(0, key.lastIndexOf(slash)))
    const known = folders.get(folder)
    if (known !== undefined) return known
    const place = placeOfKey(key.toString())
    const id = `${place.prefix}\0${place.namespace}`
    const index = indexes.get(id) ?? places.push(place) - 1
    indexes.set(id, index)
    counts[index] ??= 0
    if (isDeep(folder)) folders.set(folder, index)
    return index
  }
  const change = (index: number, by: number) => {
    counts[index] = (counts[index] ?? 0) + by
    total += by
  }
  return {
    put: (key) => {
      const [low, high] = hashOf(key, seeds)
      const slot = table.find(low, high)
      const known = table.marks[slot] ?? 0
      if (known >= isLiveArtifact) return
      const index = known === 0 ? placeIndex(key) : known - 1
      table.set(slot, low, high, ((index + 1) | isLiveArtifact) >>> 0)
      change(index, 1)
      if (table.used > table.size * fullAt) table = grown(table)
    },
    delete: (key) => {
      const slot = table.find(...hashOf(key, seeds))
      const known = table.marks[slot] ?? 0
      if (known < isLiveArtifact) return
      table.marks[slot] = known - isLiveArtifact
      change(known - isLiveArtifact - 1, -1)
    },
    get total() {
      return total
    },
    counts: () => places.map((place, index) => ({ place, count: counts[index] ?? 0 })).filter(({ count }) => count > 0),
  }
}

type Table = ReturnType<typeof createTable>

/** Open addressing: a slot is the one with these hashes, or the free one where they belong. */
function createTable(size: number) {
  const lows = new Uint32Array(size)
  const highs = new Uint32Array(size)
  const marks = new Uint32Array(size)
  const table = {
    size,
    used: 0,
    lows,
    highs,
    marks,
    find: (low: number, high: number): number => {
      let slot = low & (size - 1)
      while (marks[slot] !== 0 && (lows[slot] !== low || highs[slot] !== high)) slot = (slot + 1) & (size - 1)
      return slot
    },
    set: (slot: number, low: number, high: number, mark: number) => {
      if (marks[slot] === 0) table.used++
      lows[slot] = low
      highs[slot] = high
      marks[slot] = mark
    },
  }
  return table
}

function grown({ size, lows, highs, marks }: Table): Table {
  const larger = createTable(size * 2)
  for (let slot = 0; slot < size; slot++) {
    const [low = 0, high = 0, mark = 0] = [lows[slot], highs[slot], marks[slot]]
    if (mark !== 0) larger.set(larger.find(low, high), low, high, mark)
  }
  return larger
}

function hashOf(key: Buffer, [one, other]: readonly [number, number]): [number, number] {
  let low = one
  let high = other
  for (let at = 0; at < key.length; at++) {
    const byte = key[at] as number
    low = Math.imul(low ^ byte, 0x9e3779b1)
    low = (low << 13) | (low >>> 19)
    high = Math.imul(high ^ byte, 0x85ebca77)
    high = (high << 17) | (high >>> 15)
  }
  return [mix(low ^ (high >>> 11)), mix(high ^ (low >>> 7))]
}

function mix(start: number): number {
  let value = start
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) >>> 0
}
