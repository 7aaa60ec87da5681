import { mapLimit } from '../cluster/map-limit.js'
import { migrationBlockers } from '../proxmox/model/migration-blockers.js'
import type { World } from '../world.js'
import type { ObservedMachine } from './observed.js'

const atOnce = 8

/**
 * What keeps machines on hosts that they must leave, by name. A machine that cannot be queried is checked again before
 * it moves.
 */
export async function askMigrations(
  leaving: readonly ObservedMachine[],
  { proxmox }: World,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const answers = await mapLimit(leaving, atOnce, async (machine) => {
    const answer = await proxmox.machines.askMigration(machine, undefined, signal).catch(() => undefined)
    signal.throwIfAborted()
    return [machine.name, answer === undefined ? [] : migrationBlockers(answer, machine.vmid)] as const
  })
  return new Map(answers)
}
