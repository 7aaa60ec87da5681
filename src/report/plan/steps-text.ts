import type { PlanView, StepView } from '../../events/plan-view.js'
import { printable } from '../printable.js'
import type { TextStyle } from '../text-style.js'
import { beside } from '../wrap.js'
import { noteLines, type PlanLayout } from './plan-text.js'

/** Every step of a plan with its reason, by machine. */
export function stepsText(plan: PlanView, layout: PlanLayout): string {
  const groups = new Map<string, StepView[]>()
  for (const step of plan.steps) {
    const name = step.machine ?? 'cluster'
    groups.set(name, [...(groups.get(name) ?? []), step])
  }
  const blocks = [...groups].map(([name, steps]) =>
    [layout.style.bold(printable(name)), ...steps.map((step) => stepLines(step, layout))].join('\n'),
  )
  const rounds = plan.rounds > 1 ? ` in ${plan.rounds} rounds` : ''
  const summary = `${plan.steps.length} step${plan.steps.length === 1 ? '' : 's'}${rounds}`
  return `${[...blocks, '', layout.style.bold(`${summary} to ${plan.cluster}.`)].join('\n')}\n${noteLines(plan, layout)}`
}

/** One line if the terminal is wide enough; otherwise reason and loss are below. */
function stepLines(step: StepView, { style, width }: PlanLayout): string {
  const title = printable(step.title)
  const details = [printable(step.reason), ...step.loses.map((loss) => `LOSES ${printable(loss)}`)]
  const line = [title, ...details].join('  ')
  if (line.length + 4 <= width) return `  ${signOf(step, style)} ${[title, ...details.map(style.dim)].join('  ')}`
  const below = details.map((text) => style.dim(beside('      ', 6, text, width)))
  return [beside(`  ${signOf(step, style)} `, 4, title, width), ...below].join('\n')
}

const deleting = /^(delete|remove|drop|forget|reset|empty)-/
const creating = /^(claim|fill|make|fetch|install|bootstrap|create|deliver|join|start)-/

/** A deletion is never a plus; disruptions have an exclamation mark. */
function signOf({ kind, waits, disruptive }: StepView, style: TextStyle): string {
  if (waits) return style.dim(style.signs.waiting)
  if (deleting.test(kind)) return style.red('-')
  if (disruptive) return style.red('!')
  return creating.test(kind) ? style.green('+') : style.yellow('~')
}
