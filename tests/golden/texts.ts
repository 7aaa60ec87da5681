import { noteText } from '../../src/findings/notes/define-note.js'
import type { Outcome } from './plan-case.js'
import { stepLabels } from './step-labels.js'

/** The words of what comes out: titles and reasons, notes, and the refusal with where and fix. */
export function textsOf({ rounds, plan, refused }: Outcome): string {
  const steps = rounds.flatMap((round, index) => {
    const labels = stepLabels(round)
    return [`round ${index + 1}`, ...round.map(({ id, title, reason }) => `  ${labels.get(id)}: ${title} (${reason})`)]
  })
  const unknown = (plan?.unknown ?? []).map(({ what, why }) => `unknown: ${what}: ${why}`)
  const notes = (plan?.notes ?? []).map((note) => `note: ${noteText(note)}`)
  const refusal =
    refused === undefined ? [] : [`refused: ${refused.message}`, `where: ${refused.where}`, `fix: ${refused.fix}`]
  return `${[...steps, ...unknown, ...notes, ...refusal].join('\n')}\n`
}
