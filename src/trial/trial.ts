import type { Mark } from '../ownership/mark.js'

/**
 * A change that may cut off our access, recorded on the machine before it is verified. It is undone unless it is kept.
 */
export interface Trial {
  /** Hash of the ID of the step that makes the change. */
  readonly step: string
  /** The deadline for its verification. */
  readonly deadline: Date
  /** The previous options; `undefined` if there was none. */
  readonly before: Readonly<Record<string, string | undefined>>
}

const prefix = 'trial-'

export function readTrial({ more = {} }: Mark): Trial | undefined {
  const [step, deadline] = more.trial?.split(' ') ?? []
  if (step === undefined || deadline === undefined) return undefined
  const noted = Object.entries(more).filter(([key]) => key.startsWith(prefix))
  return {
    step,
    deadline: new Date(deadline),
    before: Object.fromEntries(
      noted.map(([key, value]) => [key.slice(prefix.length), value === '' ? undefined : value]),
    ),
  }
}

export function withTrial(mark: Mark, { step, deadline, before }: Trial): Mark {
  const noted = Object.entries(before).map(([key, value]) => [`${prefix}${key}`, value ?? ''])
  return {
    ...mark,
    more: { ...mark.more, trial: `${step} ${deadline.toISOString()}`, ...Object.fromEntries(noted) },
  }
}

/** The mark after the trial, however it ended. */
export function withoutTrial(mark: Mark): Mark {
  const kept = Object.entries(mark.more ?? {}).filter(([key]) => key !== 'trial' && !key.startsWith(prefix))
  const { more: _, ...rest } = mark
  return kept.length === 0 ? rest : { ...rest, more: Object.fromEntries(kept) }
}
