import { isRotationTarget, type RotationTarget, rotationTargets } from '../../cluster/rotation.js'
import { UsageError } from '../../errors.js'
import { fixedKey } from '../../findings/refusals/secrets.js'
import { findNearest } from '../../nearest.js'

/** Why these keys are fixed for the lifetime of a cluster: an old and a new one would never both be accepted. */
const fixedKeys: Readonly<Record<string, string>> = {
  'etcd-ca': 'Talos accepts one etcd CA only: members with the old and the new one would not talk to each other',
  'aggregator-ca':
    'Talos up to 1.13 accepts one aggregator CA only, so that extension API servers would be cut off; ichor does not use the list of 1.14 yet',
  'bootstrap-token': 'nodes join with it, and Talos accepts one only',
  'trustd-token': 'workers get their certificates with it, and Talos accepts one only',
  'cluster-id': 'the marks of the VMs and the snapshots of etcd name the cluster by it',
  'cluster-secret': 'the marks of the VMs and the snapshots of etcd are sealed with it',
}

/** The named key; refuses keys that cannot be replaced in a running cluster, with the reason. */
export function rotatableKey(named: string): RotationTarget {
  if (isRotationTarget(named)) return named
  const choice = `ichor rotates ${rotationTargets.slice(0, -1).join(', ')} and ${rotationTargets.at(-1)}.`
  const reason = fixedKeys[named]
  if (reason !== undefined) {
    throw fixedKey.refuse(`${named} cannot be rotated: ${reason}.`, {
      subject: { kind: 'object', name: named },
      where: 'ichor secrets rotate',
      fix: choice,
    })
  }
  const near = findNearest(named, [...rotationTargets, ...Object.keys(fixedKeys)])
  throw new UsageError(`There is no key ${JSON.stringify(named)}.`, {
    where: 'ichor secrets rotate',
    fix: `${near === undefined ? '' : `Did you mean ${near}? `}${choice}`,
  })
}
