import { widthOf } from '../report/screen-width.js'
import { beside } from '../report/wrap.js'
import type { Context } from './frame/context.js'

/** A command to try, and what it is for. */
export type Row = readonly [command: string, text: string]

/** A command is never wrapped; on a narrow screen its description is on the next line. */
export function rowsText(rows: readonly Row[], { stdout }: Context): string {
  const screen = widthOf(stdout)
  const width = Math.max(...rows.map(([command]) => command.length)) + 4
  const line = ([command, text]: Row) =>
    width + 30 <= screen
      ? beside(`  ${command.padEnd(width - 2)}`, width, text, screen)
      : `  ${command}\n${beside('      ', 6, text, screen)}`
  return rows.map((row) => `${line(row)}\n`).join('')
}
