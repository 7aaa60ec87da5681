import { keyNames } from '../cluster/cluster-key.js'
import { isRotatedCa, isUnfinished } from '../cluster/rotation.js'
import { parseVersion } from '../cluster/version.js'
import type { Desired } from '../desired/desired.js'
import type { Finding } from '../findings/finding.js'
import { rotationUnderWay } from '../findings/notes/secrets.js'
import { blindRotation, fixedKey, otherRotation } from '../findings/refusals/secrets.js'
import type { Observed } from '../observe/observed.js'
import { findSeen } from '../work/wanted-machine.js'
import { unknownsOf } from './unknowns.js'

/** The next phase would lock out a node that is not observed, or the node would lock out the others when it returns. */
export function refuseRotation(desired: Desired, observed: Observed): void {
  const {
    name,
    intent: { rotating },
  } = desired.cluster
  if (rotating === undefined) return
  refuseOldContract(desired)
  refuseAnother(desired, observed)
  const missing = [
    ...unknownsOf(desired, observed).map(({ what, why }) => `${what}: ${why}`),
    ...desired.machines.flatMap(({ machine }) => problemOf(machine.name, desired, observed)),
  ]
  if (missing.length === 0) return
  throw blindRotation.refuse(`Keys are rotated only while every node is seen: ${missing.join('; ')}.`, {
    subject: { kind: 'cluster', name: name },
    where: `cluster ${name}`,
    fix: 'Repair the cluster with ichor up, then run the same command again.',
  })
}

/** Every run keeps the phase that it finds; only `rotate` continues. */
export function rotationNotes(
  {
    cluster: {
      name,
      intent: { rotating },
    },
  }: Desired,
  { secrets: { rotation } }: Observed,
): Finding[] {
  if (rotating !== undefined || !isUnfinished(rotation)) return []
  return [
    rotationUnderWay.note(
      `A rotation of ${keyNames[rotation.what]} is under way (${rotation.phase}): ichor secrets rotate ${rotation.what} continues it.`,
      { subject: { kind: 'cluster', name } },
    ),
  ]
}

/** Why these keys cannot be replaced: the config holds only one of each. */
const withoutOverlap = {
  'service-account-key': 'every token that a pod holds would be refused at once',
  'etcd-encryption-key': 'the Secrets that are in etcd could not be read any more',
} as const

const firstWithLists = 14

function refuseOldContract({
  cluster: {
    contract,
    name,
    intent: { rotating },
  },
}: Desired): void {
  if (rotating === undefined || isRotatedCa(rotating.what)) return
  if ((parseVersion(`${contract}.0`)?.minor ?? 0) >= firstWithLists) return
  throw fixedKey.refuse(
    `${keyNames[rotating.what].replace('the', 'The')} cannot be rotated: configs of contract ${contract} have room for one, so that ${withoutOverlap[rotating.what]}.`,
    {
      subject: { kind: 'cluster', name: name },
      where: `cluster ${name}`,
      fix: 'Keep the key. Configs of contract v1.14, which clusters have that were made with Talos 1.14, have room for two.',
    },
  )
}

function problemOf(name: string, { cluster }: Desired, observed: Observed): string[] {
  const seen = findSeen(observed, name)
  if (seen === undefined) return [`${name} does not exist`]
  if (seen.talos.reach === 'silent') return [`${name} does not answer: ${seen.talos.reason}`]
  if (seen.talos.reach !== 'secured')
    return [`${name} is ${seen.talos.reach === 'off' ? 'off' : 'in maintenance mode'}`]
  if (seen.node === undefined) return [`${name} is not a Kubernetes node`]
  return cluster.hasNetwork && !seen.node.ready ? [`node ${name} is not ready`] : []
}

function refuseAnother(
  {
    cluster: {
      name,
      intent: { rotating },
    },
  }: Desired,
  { secrets: { rotation } }: Observed,
): void {
  if (rotating === undefined || !isUnfinished(rotation) || rotation.what === rotating.what) return
  throw otherRotation.refuse(`A rotation of ${keyNames[rotation.what]} is not finished.`, {
    subject: { kind: 'cluster', name: name },
    where: 'the secrets of the cluster',
    fix: `Run ichor secrets rotate ${rotation.what}: it continues where the last run ended.`,
  })
}
