import { stripVTControlCharacters } from 'node:util'

/** Columns as wide as their widest cell, not counting colour codes. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = widthsOf(all)
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - lengthOf(cell))))
      .join('  ')
      .trimEnd()
  return `${all.map(line).join('\n')}\n`
}

/** The table without columns that do not fit a narrow screen; the first ones listed are dropped first. */
export function tableWithin(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  leaveOut: readonly number[],
): string {
  const widths = widthsOf([head, ...rows])
  const gone = new Set<number>()
  const total = () => widths.reduce((sum, own, column) => sum + (gone.has(column) ? 0 : own + 2), -2)
  for (const column of leaveOut) if (total() > width) gone.add(column)
  const kept = (row: readonly string[]) => row.filter((_, column) => !gone.has(column))
  return table(kept(head), rows.map(kept))
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => lengthOf(row[column] ?? ''))))
}

function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length
}
