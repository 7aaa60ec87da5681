/** Flags that every command takes, and that may stand before it. */
export const globalFlags: Readonly<Record<string, 'value' | 'alone'>> = {
  '-i': 'value',
  '--inventory': 'value',
  '--lab': 'alone',
  '--json': 'alone',
  '-y': 'alone',
  '--yes': 'alone',
}

export interface Globals {
  /** The verb first, then everything else. */
  readonly words: readonly string[]
  /** No colour, no symbol outside ASCII, nothing that moves. */
  readonly isPlain: boolean
}

/** Puts flags that stand before the verb behind it, and takes `--plain` out, wherever it stands. */
export function takeGlobals(typed: readonly string[]): Globals {
  const end = typed.indexOf('--')
  const own = end < 0 ? typed : typed.slice(0, end)
  const isPlain = own.includes('--plain')
  const words = [...own.filter((word) => word !== '--plain'), ...(end < 0 ? [] : typed.slice(end))]
  const before: string[] = []
  while (words.length > 0) {
    const [first = ''] = words
    const kind = globalFlags[first.replace(/=.*$/, '')]
    if (kind === undefined) break
    before.push(...words.splice(0, kind === 'value' && !first.includes('=') ? 2 : 1))
  }
  const [verb, ...rest] = words
  if (verb === undefined) return { words: before, isPlain }
  const at = rest.indexOf('--')
  const tail = at < 0 ? rest.length : at
  return { words: [verb, ...rest.slice(0, tail), ...before, ...rest.slice(tail)], isPlain }
}
