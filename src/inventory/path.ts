/** A place in a document: keys of mappings and positions in lists. */
export type Path = readonly (string | number)[]

/** `worker_pools[1].sizing.ram`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (!/^[\w-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

/** The reverse; unreadable parts are left out. */
export function parsePath(text: string): Path {
  const parts = text.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)
  return [...parts].map(([, index, quoted, plain]) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? (plain ?? '') : String(JSON.parse(`"${quoted}"`))
  })
}

/** The value at a place of plain data; `undefined` if there is none. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    return (value as Record<string | number, unknown>)[part]
  }, data)
}
