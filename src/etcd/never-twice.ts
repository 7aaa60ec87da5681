import type { PlanRefused } from '../errors.js'
import { etcdOnceMore } from '../findings/refusals/etcd.js'

/** The error of `up` when etcd existed once and no control plane holds it any more. */
export function neverTwice(machine: string): PlanRefused {
  return etcdOnceMore.refuse(
    'This cluster had an etcd before, but none of its control planes has the data. A new, empty etcd would lose everything.',
    {
      subject: { kind: 'machine', name: machine },
      where: `machine ${machine}`,
      fix: 'Recover the old control plane. If ichor destroy was interrupted, run it again first. With a snapshot of etcd, use ichor restore. If there is nothing to keep, ichor up --new-etcd starts over.',
    },
  )
}
