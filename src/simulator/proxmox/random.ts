/** Reproducible randomness: the same seed gives the same identities. */
export interface Random {
  /** 0 inclusive to `below` exclusive. */
  integer(below: number): number
  hex(digits: number): string
  uuid(): string
  /** For the saved state. */
  state(): number
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const integer = (below: number) => Math.floor((next() / 2 ** 32) * below)
  const hex = (digits: number) => Array.from({ length: digits }, () => integer(16).toString(16)).join('')
  return {
    integer,
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[integer(4)]}${hex(3)}-${hex(12)}`,
    state: () => state,
  }
}
