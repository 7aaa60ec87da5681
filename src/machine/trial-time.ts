import type { World } from '../world.js'

/** In real time: connections do not get faster with the clock of a lab. */
const leastMs = 5000

/** How long a firewall is tested, by the clock of the world. */
export function trialTime(wantedMs: number, { clock }: Pick<World, 'clock'>): number {
  return Math.max(wantedMs, leastMs * (clock.speed ?? 1))
}
