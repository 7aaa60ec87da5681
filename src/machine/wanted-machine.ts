import { lookupBy } from '../cluster/lookup.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'

const wantedByName = lookupBy(({ machine }: DesiredMachine) => machine.name)
const seenByName = lookupBy(({ name }: ObservedMachine) => name)

/** The machine of that name, if it is wanted. */
export function findWanted({ machines }: Pick<Desired, 'machines'>, name: string): DesiredMachine | undefined {
  return wantedByName(machines, name)
}

/** As `findWanted`, for those who never ask for one that is not. */
export function machineOf(desired: Pick<Desired, 'machines'>, name: string): DesiredMachine {
  const found = findWanted(desired, name)
  if (found === undefined) throw new Error(`no machine ${name} is wanted`)
  return found
}

/** The machine of that name, if it was seen. */
export function findSeen({ machines }: Pick<Observed, 'machines'>, name: string): ObservedMachine | undefined {
  return seenByName(machines, name)
}

/** This round makes the machine, and nothing of it went wrong yet: whatever there is of it, this run has made and waited for. */
export function isOurFirstWork(
  name: string,
  { observed, attempt }: { readonly observed: Observed; readonly attempt: number },
): boolean {
  const isSeen = findSeen(observed, name) !== undefined || observed.templates.some((template) => template.name === name)
  return attempt === 1 && !isSeen
}
