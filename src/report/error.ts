import { PlanRefused, UserFacingError } from '../errors.js'
import { byCause } from '../findings/by-cause.js'
import type { Finding } from '../findings/finding.js'
import type { Problem } from '../inventory/problem.js'
import { printable } from './printable.js'
import { problemsText } from './problems-text.js'
import type { TextStyle } from './text-style.js'
import { beside } from './wrap.js'

/** The JSON form of any failure. */
export interface ErrorReport {
  readonly version: 1
  readonly error: {
    readonly code: string
    readonly message: string
    readonly where: string
    readonly fix: string
    /**
     * Of a refusal: everything that must be solved, in the order in which it is solved, then what else does not fit in
     * the same observation.
     */
    readonly findings?: readonly Finding[]
  }
}

export function errorReport(thrown: unknown): ErrorReport {
  const { code, message, where, fix } = asUserFacing(thrown)
  const findings = thrown instanceof PlanRefused ? [...thrown.findings, ...thrown.beside] : []
  return { version: 1, error: { code, message, where, fix, ...(findings.length === 0 ? {} : { findings }) } }
}

/** Problem, where, fix, and the progress of the run. */
export function errorText(thrown: unknown, style: TextStyle, width = Number.POSITIVE_INFINITY): string {
  const problems = (thrown as { problems?: readonly Problem[] } | undefined)?.problems
  if (thrown instanceof UserFacingError && problems !== undefined) return problemsText(problems, style, width)
  const blocks = problemsIn(thrown).map(({ message, where, fix }) =>
    rowsText(
      [
        [style.red('error'), message],
        [style.dim('where'), where],
        [style.dim('fix  '), fix],
      ],
      width,
    ),
  )
  const beside = byCause(thrown instanceof PlanRefused ? thrown.beside : [])
  const others = beside.map(({ finding }) => [style.dim('also '), `${finding.title} (${finding.code})`] as const)
  return `${blocks.join('\n')}${rowsText([...others, [style.dim('done '), doneOf(thrown)]], width)}`
}

function rowsText(rows: readonly (readonly [string, string])[], width: number): string {
  return rows
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${beside(`${label}  `, 7, printable(text), width)}\n`)
    .join('')
}

/** A refusal may have several, each with its own fix. */
function problemsIn(thrown: unknown): readonly Pick<UserFacingError, 'message' | 'where' | 'fix'>[] {
  if (!(thrown instanceof PlanRefused) || thrown.findings.length < 2) return [asUserFacing(thrown)]
  return thrown.findings.map(({ title, where = '', cure }) => ({ message: title, where, fix: cure?.text ?? '' }))
}

/** The progress of the run, if the error has it. */
function doneOf(thrown: unknown): string {
  const done = thrown instanceof Error && 'done' in thrown ? thrown.done : undefined
  return typeof done === 'string' ? done : ''
}

export function exitCodeOf(thrown: unknown): number {
  return thrown instanceof UserFacingError ? thrown.exitCode : 1
}

function asUserFacing(thrown: unknown): { code: string; message: string; where: string; fix: string } {
  if (thrown instanceof UserFacingError) return thrown
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  return {
    code: 'bug',
    message: `This is a bug in ichor: ${error.message}`,
    where: firstFrame(error.stack),
    fix: 'Please report this message. Nothing is lost: run the same command again to continue.',
  }
}

function firstFrame(stack: string | undefined): string {
  return stack?.split('\n')[1]?.trim() ?? 'unknown'
}
