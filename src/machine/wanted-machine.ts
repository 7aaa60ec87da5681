import type { Desired, DesiredMachine } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'

const wantedByName = new WeakMap<Desired['machines'], ReadonlyMap<string, DesiredMachine>>()
const seenByName = new WeakMap<Observed['machines'], ReadonlyMap<string, ObservedMachine>>()

/** The machine of that name, if it is wanted. */
export function findWanted({ machines }: Pick<Desired, 'machines'>, name: string): DesiredMachine | undefined {
  let index = wantedByName.get(machines)
  if (index === undefined) {
    index = new Map(machines.map((wanted) => [wanted.machine.name, wanted]))
    wantedByName.set(machines, index)
  }
  return index.get(name)
}

/** As `findWanted`, for those who never ask for one that is not. */
export function machineOf(desired: Pick<Desired, 'machines'>, name: string): DesiredMachine {
  const found = findWanted(desired, name)
  if (found === undefined) throw new Error(`no machine ${name} is wanted`)
  return found
}

/** The machine of that name, if it was seen. */
export function findSeen({ machines }: Pick<Observed, 'machines'>, name: string): ObservedMachine | undefined {
  let index = seenByName.get(machines)
  if (index === undefined) {
    index = new Map(machines.map((machine) => [machine.name, machine]))
    seenByName.set(machines, index)
  }
  return index.get(name)
}
