import { PlanRefused } from '../errors.js'

/** What `up` says when etcd was there once and no control plane holds it any more. */
export function neverTwice(machine: string): PlanRefused {
  return new PlanRefused(
    'This cluster had an etcd before, and none of its control planes holds it any more. A second, empty one would lose everything.',
    {
      where: `machine ${machine}`,
      fix: 'Bring the old control plane back. If ichor destroy was interrupted, run it again first. With a snapshot of etcd, ichor restore brings everything in it back. If nothing is worth keeping, ichor up --new-etcd starts over.',
    },
  )
}
