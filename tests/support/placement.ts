import { PlanRefused } from '../../src/errors.js'
import type { Facts, Wanted } from '../../src/placement/facts.js'
import { place } from '../../src/placement/place.js'

/** Sizes of the machines. */
export const sizing = (cpu: number, ram: string) => ({
  sizing: { control_plane: { cpu: 2, ram: '4G' }, worker: { cpu, ram } },
})

/** The hosts of the machines with that role. */
export function hosts({ hostOf }: ReturnType<typeof place>, role = ''): string[] {
  return [...hostOf].filter(([name]) => name.includes(role)).map(([, host]) => host)
}

/** The refusal of a placement that must fail. */
export function refusal(wanted: Wanted, facts: Facts): PlanRefused {
  try {
    place(wanted, facts)
  } catch (error) {
    if (error instanceof PlanRefused) return error
  }
  throw new Error('it was not refused')
}
