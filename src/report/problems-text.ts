import type { Problem } from '../inventory/problem.js'
import { printable } from './printable.js'
import type { TextStyle } from './text-style.js'

/** Every complaint: what is wrong, where (with the line and a caret), and what to write instead. */
export function problemsText(problems: readonly Problem[], style: TextStyle): string {
  return problems.map((problem) => problemText(problem, style)).join('\n')
}

function problemText({ severity, file, line, column, path, message, fix, excerpt }: Problem, style: TextStyle): string {
  const label = severity === 'error' ? style.red('error') : style.yellow('warn ')
  const position = line > 0 ? `${file}:${line}:${column}` : file
  const shown = excerpt === '' ? [] : excerpt.split('\n').map((text) => `       ${style.dim(printable(text))}`)
  return [
    `${label}  ${printable(message)}`,
    `${style.dim('where')}  ${position}${path === '' ? '' : `  (${path})`}`,
    ...shown,
    `${style.dim('fix  ')}  ${printable(fix)}`,
    '',
  ].join('\n')
}
