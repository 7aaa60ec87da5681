/** The known word that a mistyped one most likely meant; `undefined` when none is near. */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  let best: { word: string; distance: number } | undefined
  for (const word of known) {
    const distance = editDistance(typed.toLowerCase(), word.toLowerCase())
    if (best === undefined || distance < best.distance) best = { word, distance }
  }
  if (best === undefined) return undefined
  const tolerated = Math.max(1, Math.floor(Math.max(typed.length, best.word.length) / 3))
  return best.distance <= tolerated ? best.word : undefined
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
