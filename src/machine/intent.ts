import type { Desired } from '../desired/desired.js'
import type { ObservedMachine } from '../observe/observed.js'

/** What a verb asks for of a machine, and how its mark says that it was done. */
const doneAs = { replace: 'replaced', reboot: 'rebooted' } as const

/**
 * The id of the run that asked for it: from the mark of the machine, or from this very run before it is written there. What this
 * run has done already is not done again.
 */
export function findIntent(
  intent: keyof typeof doneAs,
  { cluster }: Pick<Desired, 'cluster'>,
  { name, mark: { more } }: Pick<ObservedMachine, 'name' | 'mark'>,
): string | undefined {
  if (more?.[intent] !== undefined) return more[intent]
  const asked = (intent === 'replace' ? cluster.replacing : cluster.rebooting)?.[name]
  return asked === undefined || more?.[doneAs[intent]] === asked ? undefined : asked
}
