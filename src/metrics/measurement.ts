import type { Facts } from '../findings/facts.js'
import type { Examination } from '../findings/find-findings.js'
import type { Plan } from '../plan/plan.js'

/** A cluster as it was seen once, or that it could not be looked at. */
export interface Measurement {
  readonly cluster: string
  readonly seen?: Sighting
  /** When it was last seen before, in milliseconds since 1970. */
  readonly lastSeenAt?: number
  /** Since when a plan is pending, in milliseconds since 1970. */
  readonly pendingSince?: number
}

export interface Sighting {
  readonly facts: Facts
  readonly examination: Examination
  /** Missing if `up` would refuse to do anything. */
  readonly plan?: Pick<Plan, 'steps'>
}
