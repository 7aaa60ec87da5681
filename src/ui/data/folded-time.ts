/** A time span in which something ran. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A straight line of time in which long gaps without anything are short. */
export interface FoldedTime {
  /** The same for lines that are the same. */
  readonly key: string
  readonly total: number
  /** Gaps that were folded, at their place on the line. */
  readonly folds: readonly { readonly at: number; readonly ms: number }[]
  place(time: number): number
}

const foldedShare = 0.02

/** Gaps longer than a tenth of what ran are folded. */
export function foldTime(spans: readonly Span[]): FoldedTime {
  const busy = merged(spans)
  const ran = busy.reduce((sum, { from, to }) => sum + to - from, 0)
  const foldedMs = Math.max(1, ran * foldedShare)
  const pieces: { from: number; to: number; at: number; length: number }[] = []
  const folds: { at: number; ms: number }[] = []
  let at = 0
  for (const [index, { from, to }] of busy.entries()) {
    const last = busy[index - 1]
    const gap = last === undefined ? 0 : from - last.to
    if (last !== undefined && gap > 0) {
      const length = gap > ran / 10 ? foldedMs : gap
      if (length !== gap) folds.push({ at, ms: gap })
      pieces.push({ from: last.to, to: from, at, length })
      at += length
    }
    pieces.push({ from, to, at, length: to - from })
    at += to - from
  }
  return {
    key: pieces.map(({ from, to }) => `${from}-${to}`).join(),
    total: Math.max(at, 1),
    folds,
    place: (time) => {
      const piece = pieces.findLast(({ from }) => from <= time) ?? pieces[0]
      if (piece === undefined) return 0
      const share = piece.to === piece.from ? 0 : (time - piece.from) / (piece.to - piece.from)
      return piece.at + Math.min(1, Math.max(0, share)) * piece.length
    },
  }
}

function merged(spans: readonly Span[]): Span[] {
  const result: { from: number; to: number }[] = []
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    const last = result.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else result.push({ from, to })
  }
  return result
}
