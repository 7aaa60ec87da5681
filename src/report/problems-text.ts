import type { Problem } from '../inventory/problem.js'
import { printable } from './printable.js'
import type { TextStyle } from './text-style.js'
import { beside } from './wrap.js'

/** All problems: what is wrong, where (with the line and a caret), and what to write instead. */
export function problemsText(problems: readonly Problem[], style: TextStyle, width = Number.POSITIVE_INFINITY): string {
  return problems.map((problem) => problemText(problem, style, width)).join('\n')
}

function problemText(
  { severity, file, line, column, path, message, fix, excerpt }: Problem,
  style: TextStyle,
  width: number,
): string {
  const label = severity === 'error' ? style.red('error') : style.yellow('warn ')
  const position = line > 0 ? `${file}:${line}:${column}` : file
  const shown = excerpt === '' ? [] : excerpt.split('\n').map((text) => `       ${style.dim(printable(text))}`)
  return [
    beside(`${label}  `, 7, printable(message), width),
    `${style.dim('where')}  ${position}${path === '' ? '' : `  (${path})`}`,
    ...shown,
    beside(`${style.dim('fix  ')}  `, 7, printable(fix), width),
    '',
  ].join('\n')
}
