import type { ClusterSpec } from '../../desired/cluster-spec.js'
import type { Session } from '../session.js'
import { loadSpec, type SpecOptions } from './load-spec.js'

/** How far a run goes, and what it may do on the way. */
export type RunLimits = Pick<SpecOptions, 'until' | 'intent' | 'mayEnableContent'>

/** The spec of a session's inventory. */
export function specOf(
  { inventory, world, env, lab }: Pick<Session, 'inventory' | 'world' | 'env' | 'lab'>,
  limits: RunLimits = {},
): Promise<Omit<ClusterSpec, 'secrets'>> {
  return loadSpec(inventory, { ...limits, env, world, isLab: lab !== undefined })
}
