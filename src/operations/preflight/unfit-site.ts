import { PlanRefused } from '../../errors.js'
import type { Finding } from '../../findings/finding.js'
import type { Refusal } from '../../findings/refusals/define-refusal.js'
import type { Inventory } from '../../inventory/inventory.js'
import { type Problem, placeOf } from '../../inventory/problem.js'

/** A name in the inventory that Proxmox or the factory does not have. */
export interface MissingName {
  readonly refusal: Refusal
  /** Where the inventory names it. */
  readonly path: string
  readonly message: string
  readonly fix: string
}

/** Everything that is missing, with its line, before the first change. */
export class UnfitSite extends PlanRefused {
  readonly problems: readonly Problem[]

  /** `others`: what else blocks the goal, and does not follow from these. */
  constructor(missing: readonly MissingName[], inventory: Inventory, others: readonly Finding[] = []) {
    const named = missing
      .map((one) => ({
        problem: inventory.problem(one.path, one.message, one.fix),
        findings: findingsOf(one, inventory),
      }))
      .toSorted((one, other) => byPlace(one.problem, other.problem))
    const problems = [...named.map(({ problem }) => problem), ...others.map(problemOf)]
    super(problems.map(({ message }) => message).join('\n'), {
      where: [...new Set(problems.map(placeOf))].join(', '),
      fix: [...new Set(problems.map(({ fix }) => fix))].join(' '),
      findings: [...named.flatMap(({ findings }) => findings), ...others],
    })
    this.problems = problems
  }
}

function findingsOf({ refusal, path, message, fix }: MissingName, { file, where }: Inventory): readonly Finding[] {
  return refusal.refuse(message, { subject: { kind: 'inventory', name: file }, where: where(path), fix }).findings
}

function problemOf({ title, where = '', cure }: Finding): Problem {
  const nowhere = { line: 0, column: 0, path: '', excerpt: '' }
  return { severity: 'error', file: where, ...nowhere, message: title, fix: cure?.text ?? '' }
}

function byPlace(one: Problem, other: Problem): number {
  return one.file.localeCompare(other.file) || one.line - other.line || one.column - other.column
}
