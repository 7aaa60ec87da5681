import type { Plan, PlannedStep } from '../plan/plan.js'
import type { TextStyle } from './text-style.js'

/** The plan for people: by machine, with the reason behind each step. */
export function planText(
  { cluster, steps, rounds, away, notes }: Plan,
  style: TextStyle,
  width = Number.POSITIVE_INFINITY,
): string {
  if (steps.length === 0) return `${nothingToDo(cluster, away, style)}\n${noteLines(notes, style)}`
  const changes = steps.filter((step) => step.changes)
  if (changes.length === 0) return `${onlyWaiting(cluster, steps, style)}${noteLines(notes, style)}`
  const groups = new Map<string, PlannedStep[]>()
  for (const step of changes)
    groups.set(step.machine ?? 'cluster', [...(groups.get(step.machine ?? 'cluster') ?? []), step])
  const blocks = [...groups].map(([name, group]) =>
    [style.bold(name), ...group.map((step) => stepLine(step, style, width))].join('\n'),
  )
  const disruptive = changes.filter((step) => step.disruptive).length
  const summary = `${changes.length} change${changes.length === 1 ? '' : 's'}${rounds > 1 ? ` in ${rounds} rounds` : ''}${disruptive > 0 ? `, ${disruptive} of them disruptive` : ''}`
  return `${blocks.join('\n')}\n\n${style.bold(summary)} to ${cluster}\n${noteLines(notes, style)}`
}

function nothingToDo(cluster: string, away: readonly string[], style: TextStyle): string {
  if (away.length === 0) return `${style.green('nothing to do')}: ${cluster} is what the inventory says.`
  return `${style.yellow('nothing to do now')}: nobody can get at ${away.join(', ')}.`
}

/** Nothing differs from the inventory, but something has not come up yet. */
function onlyWaiting(cluster: string, steps: readonly PlannedStep[], style: TextStyle): string {
  const waits = steps.map(({ title, reason }) => `  ${style.dim('·')} ${title}  ${style.dim(reason)}\n`)
  return `${style.yellow('nothing to change')} in ${cluster}; up would\n${waits.join('')}`
}

/** One line where the terminal is wide enough; else reason and loss stand below. */
function stepLine({ title, reason, disruptive, losesData }: PlannedStep, style: TextStyle, width: number): string {
  const sign = disruptive ? style.red('!') : style.green('+')
  const loss = losesData === undefined ? '' : `loses ${losesData}`
  const fits = ['    ', title, '  ', reason, loss === '' ? '' : '  ', loss].join('').length <= width
  const between = fits ? '  ' : '\n      '
  return [`  ${sign} ${title}`, style.dim(reason), ...(loss === '' ? [] : [style.red(loss)])].join(between)
}

function noteLines(notes: readonly string[], style: TextStyle): string {
  return notes.map((note) => `${style.yellow('note')} ${note}\n`).join('')
}

/** The least that `plan --json` holds. */
export function planReport({ cluster, steps, rounds, away, notes }: Plan) {
  return {
    version: 1,
    cluster,
    changes: steps.filter((step) => step.changes).length,
    rounds,
    steps: steps.map(({ id, round, kind, title, after, lane, disruptive, reason, changes, machine, losesData }) => ({
      id,
      round,
      kind,
      title,
      after,
      lane: lane ?? null,
      disruptive,
      reason,
      changes,
      machine: machine ?? null,
      loses_data: losesData ?? null,
    })),
    away,
    notes,
  }
}
