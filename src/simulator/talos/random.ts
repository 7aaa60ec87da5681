import { createHash } from 'node:crypto'

/** Repeatable hex digits from a seed: the same lab gives the same ids again. */
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
