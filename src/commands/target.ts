import type { Inventory } from '../inventory/inventory.js'
import { machinesNamed } from '../operations/change/machines-named.js'
import type { Goal } from '../operations/goals.js'

export const targetArg = {
  target: {
    type: 'list',
    placeholder: 'NODE',
    help: 'only this machine or group (workers, control_planes, a pool) and what it depends on; can be repeated',
  },
} as const

/** The machines that a run is limited to; `null` if there is no limit. */
export function targetOf(given: readonly string[], inventory: Inventory): readonly string[] | null {
  return given.length === 0 ? null : [...new Set(given.flatMap((name) => machinesNamed(name, inventory)))].sort()
}

/** The goal, limited to these machines if there are any. */
export async function goalFor(goal: Goal, target: readonly string[] | null): Promise<Goal> {
  return target === null ? goal : (await import('../operations/goals.js')).targeted(goal, target)
}
