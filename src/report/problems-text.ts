import type { Problem } from '../inventory/problem.js'
import type { TextStyle } from './text-style.js'

/** Every complaint: what is wrong, where (with the line and a caret), and what to write instead. */
export function problemsText(problems: readonly Problem[], style: TextStyle): string {
  return problems.map((problem) => problemText(problem, style)).join('\n')
}

function problemText({ severity, file, line, column, path, message, fix, excerpt }: Problem, style: TextStyle): string {
  const label = severity === 'error' ? style.red('error') : style.yellow('warn ')
  const position = line > 0 ? `${file}:${line}:${column}` : file
  const shown = excerpt === '' ? [] : excerpt.split('\n').map((text) => `       ${style.dim(text)}`)
  return [
    `${label}  ${message}`,
    `${style.dim('where')}  ${position}${path === '' ? '' : `  (${path})`}`,
    ...shown,
    `${style.dim('fix  ')}  ${fix}`,
    '',
  ].join('\n')
}
