/** The known word that is closest to a misspelt one; `undefined` if none is close. */
export function findNearest(word: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3))
  let best: { word: string; distance: number } | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > limit) continue
    const distance = editDistance(plain(word), plain(candidate))
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { word: candidate, distance }
  }
  return best?.word
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, '')
}

/** The number of insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(one: string, other: string): number {
  let [before, previous]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, previous] = [previous, current]
  }
  return at(previous, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
