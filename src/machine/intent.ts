import type { Desired } from '../desired/desired.js'
import type { ObservedMachine } from '../observe/observed.js'

/** What a verb asks for of a machine, and how its mark says that it was done. */
const doneAs = { replace: 'replaced', reboot: 'rebooted' } as const

/**
 * The id of the run that asked for it: from the mark of the machine, or from this very run before it is written there. What this
 * run has done already is not done again. A machine that cannot be moved off a host that it must leave is replaced without being
 * asked for.
 */
export function findIntent(
  intent: keyof typeof doneAs,
  { cluster }: Pick<Desired, 'cluster'>,
  { name, host, stuck = [], mark: { more } }: Pick<ObservedMachine, 'name' | 'host' | 'stuck' | 'mark'>,
): string | undefined {
  if (more?.[intent] !== undefined) return more[intent]
  if (intent === 'replace' && stuck.length > 0 && cluster.evacuated?.includes(host)) return 'evacuation'
  const asked = (intent === 'replace' ? cluster.replacing : cluster.rebooting)?.[name]
  return asked === undefined || more?.[doneAs[intent]] === asked ? undefined : asked
}
