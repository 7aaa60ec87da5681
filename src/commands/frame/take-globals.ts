/** Flags of every command, which may also come before it. */
export const globalFlags: Readonly<Record<string, 'value' | 'alone'>> = {
  '-i': 'value',
  '--inventory': 'value',
  '--lab': 'alone',
  '--json': 'alone',
  '-y': 'alone',
  '--yes': 'alone',
}

export interface Globals {
  /** The command first, then everything else. */
  readonly words: readonly string[]
  /** No colour, ASCII only, nothing that moves. */
  readonly isPlain: boolean
}

/** Moves flags before the command behind it, and removes `--plain` anywhere. */
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
