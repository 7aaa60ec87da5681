import type { World } from '../world.js'

/** In real time: connections do not get faster with the clock of a lab. */
const minMs = 5000

/** How long a firewall is tested, by the clock of the world. */
export function trialTime(wantedMs: number, { clock }: Pick<World, 'clock'>): number {
  return Math.max(wantedMs, minMs * (clock.speed ?? 1))
}
