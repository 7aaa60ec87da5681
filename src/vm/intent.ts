import type { Desired } from '../desired/desired.js'
import type { ObservedMachine } from '../observe/observed.js'

/** What a command requests for a machine, and how the mark records that it was done. */
const doneAs = { replace: 'replaced', reboot: 'rebooted' } as const

/**
 * The ID of the run that requested it: from the machine's mark, or from this run before it is recorded there. What this
 * run has already done is not repeated. A machine that cannot be moved off a host that it must leave is replaced
 * without a request.
 */
export function findIntent(
  intent: keyof typeof doneAs,
  { cluster }: Pick<Desired, 'cluster'>,
  { name, host, stuck = [], mark: { more } }: Pick<ObservedMachine, 'name' | 'host' | 'stuck' | 'mark'>,
): string | undefined {
  if (more?.[intent] !== undefined) return more[intent]
  if (intent === 'replace' && stuck.length > 0 && cluster.evacuated?.includes(host)) return 'evacuation'
  const asked = (intent === 'replace' ? cluster.intent.replacing : cluster.intent.rebooting)?.[name]
  return asked === undefined || more?.[doneAs[intent]] === asked ? undefined : asked
}
