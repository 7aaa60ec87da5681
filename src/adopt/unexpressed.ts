import { isMap, isSeq, LineCounter, parseAllDocuments } from 'yaml'

/** A part of a machine config that neither a key nor a patch expresses. */
export interface Unexpressed {
  readonly machine: string
  /** The path of its field; never its value. */
  readonly place: string
  /** In the machine config, as `talosctl get machineconfig` shows it; absent if only the rendered config has it. */
  readonly line?: number
}

/** The line of a field, such as `machine.sysctls` in `v1alpha1`. */
export function findLine(config: string, document: string, path: string): number | undefined {
  const lines = new LineCounter()
  const documents = parseAllDocuments(config, { lineCounter: lines })
  const found = (Array.isArray(documents) ? documents : []).find(({ contents }) => {
    if (!isMap(contents)) return false
    const [kind, name] = [contents.get('kind'), contents.get('name')]
    return [kind ?? 'v1alpha1', name].filter((word) => word !== undefined).join(' ') === document
  })
  let node: unknown = found?.contents
  let last: number | undefined
  for (const key of path === '' ? [] : path.replaceAll('[', '.[').split('.')) {
    const next: unknown = childOf(node, key)
    if (next === undefined) break
    node = next
    last = offsetOf(node) ?? last
  }
  const offset = last ?? offsetOf(found?.contents)
  return offset === undefined ? undefined : lines.linePos(offset).line
}

function childOf(node: unknown, key: string): unknown {
  if (isSeq(node)) return node.items[Number(/^\[(\d+)\]$/.exec(key)?.[1] ?? Number.NaN)]
  return isMap(node) ? node.get(key, true) : undefined
}

function offsetOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined
  const [start] = node.range
  return typeof start === 'number' ? start : undefined
}
