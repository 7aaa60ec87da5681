import { UserFacingError } from '../errors.js'

/** One problem in the inventory, with its place. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  readonly file: string
  /** Starts at 1. */
  readonly line: number
  /** Starts at 1. */
  readonly column: number
  /** `proxmox.target_nodes[1]`; empty for the file as a whole. */
  readonly path: string
  readonly message: string
  readonly fix: string
  /** The line, and below it a caret under the place; empty if there is no line to show. */
  readonly excerpt: string
}

/** All problems in the inventory at once. */
export class InventoryError extends UserFacingError {
  readonly code = 'inventory'
  readonly exitCode = 2
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    const errors = problems.filter((problem) => problem.severity === 'error')
    const [first] = errors
    super(summaryOf(errors), {
      where: first === undefined ? '' : placeOf(first),
      fix: first?.fix ?? '',
    })
    this.problems = problems
  }
}

/** `cluster.yaml:7:9  (proxmox.node)`. */
export function placeOf({ file, line, column, path }: Pick<Problem, 'file' | 'line' | 'column' | 'path'>): string {
  const position = line > 0 ? `${file}:${line}:${column}` : file
  return path === '' ? position : `${position}  (${path})`
}

function summaryOf(errors: readonly Problem[]): string {
  const message = errors[0]?.message ?? 'The inventory cannot be used.'
  return errors.length > 1 ? `${message} There are ${errors.length - 1} more complaints.` : message
}
