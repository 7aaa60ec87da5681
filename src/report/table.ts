import { stripVTControlCharacters } from 'node:util'

/** Columns as wide as their widest cell; colours do not count. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => lengthOf(row[column] ?? ''))))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - lengthOf(cell))))
      .join('  ')
      .trimEnd()
  return `${all.map(line).join('\n')}\n`
}

function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length
}
