import type { Observed, ObservedMachine } from '../observe/observed.js'

type Surroundings = Omit<Observed, 'machines'>

/** What would be seen after some steps: a working copy of what was seen, which their effects change in turn. */
export interface Model {
  /** Everything but the machines. */
  readonly around: Surroundings
  readonly machines: ReadonlyMap<string, ObservedMachine>
  setMachine(machine: ObservedMachine): void
  removeMachine(name: string): void
  change(how: (around: Surroundings) => Partial<Surroundings>): void
  /** As one value. */
  observed(): Observed
}

export function createModel({ machines, ...rest }: Observed): Model {
  let around: Surroundings = rest
  const byName = new Map(machines.map((machine) => [machine.name, machine]))
  return {
    get around() {
      return around
    },
    machines: byName,
    setMachine: (machine) => void byName.set(machine.name, machine),
    removeMachine: (name) => void byName.delete(name),
    change: (how) => {
      around = { ...around, ...how(around) }
    },
    observed: () => ({ ...around, machines: [...byName.values()] }),
  }
}
