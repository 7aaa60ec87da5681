import { lookupBy } from '../cluster/lookup.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'

const wantedByName = lookupBy(({ machine }: DesiredMachine) => machine.name)
const seenByName = lookupBy(({ name }: ObservedMachine) => name)

/** The wanted machine with that name, if any. */
export function findWanted({ machines }: Pick<Desired, 'machines'>, name: string): DesiredMachine | undefined {
  return wantedByName(machines, name)
}

/** Like `findWanted`, for callers that only ask for wanted machines. */
export function machineOf(desired: Pick<Desired, 'machines'>, name: string): DesiredMachine {
  const found = findWanted(desired, name)
  if (found === undefined) throw new Error(`no machine ${name} is wanted`)
  return found
}

/** The observed machine with that name, if any. */
export function findSeen({ machines }: Pick<Observed, 'machines'>, name: string): ObservedMachine | undefined {
  return seenByName(machines, name)
}

/**
 * This round creates the machine, and no attempt has failed yet: whatever exists of it was made and awaited by this
 * run.
 */
export function isOurFirstWork(
  name: string,
  { observed, attempt }: { readonly observed: Observed; readonly attempt: number },
): boolean {
  const isSeen = findSeen(observed, name) !== undefined || observed.templates.some((template) => template.name === name)
  return attempt === 1 && !isSeen
}
