import { createHash } from 'node:crypto'

/** Reproducible hex digits from a seed: the same lab has the same IDs. */
export function createRandomHex(
  seed: number,
  start: number,
): { randomHex: (bytes: number) => string; count: () => number } {
  let count = start
  return {
    randomHex: (bytes) => {
      const digest = createHash('shake256', { outputLength: bytes })
      return digest.update(`${seed}/${count++}`).digest('hex')
    },
    count: () => count,
  }
}
