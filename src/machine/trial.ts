import type { Mark } from '../ownership/mark.js'

/** A change that may cut us off, noted on the machine before it is proven: what nobody keeps is undone. */
export interface Trial {
  /** Hash of the id of the step that tries it. */
  readonly step: string
  /** Until when it is to be proven. */
  readonly deadline: Date
  /** The options as they were; `undefined` where there was none. */
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

/** The mark once the trial is over, whichever way. */
export function withoutTrial(mark: Mark): Mark {
  const kept = Object.entries(mark.more ?? {}).filter(([key]) => key !== 'trial' && !key.startsWith(prefix))
  const { more: _, ...rest } = mark
  return kept.length === 0 ? rest : { ...rest, more: Object.fromEntries(kept) }
}
