import type { World } from '../world.js'

/** However fast the clock of a lab runs, connections take the time of this computer. */
const leastMs = 5000

/** How long a firewall is tried, by the clock of the world. */
export function trialTime(wantedMs: number, { clock }: Pick<World, 'clock'>): number {
  return Math.max(wantedMs, leastMs * (clock.speed ?? 1))
}
