import type { Desired } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'

/** Versions that cannot be reached from what runs: over a minor version backwards, or a Kubernetes that Talos does not take. */
export function refuseNoWay({ cluster: { noWay } }: Desired): void {
  if (noWay === undefined) return
  throw new PlanRefused(noWay.problem, { where: `${noWay.where} in the inventory`, fix: noWay.fix })
}
