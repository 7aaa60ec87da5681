import { type ClusterKey, clusterKeys, keyNames } from '../cluster/cluster-key.js'
import { type RotatedKey, type RotatedKeys, type RotationTarget, rotationTargets } from '../cluster/rotation.js'
import type { Desired } from '../desired/desired.js'
import type { PlanRefused } from '../errors.js'
import type { Finding } from '../findings/finding.js'
import { keysPutBack } from '../findings/notes/secrets.js'
import { foreignSecrets, staleSecrets, untrustedNodes } from '../findings/refusals/secrets.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { findKeyRecord } from '../vm/key-record.js'
import { findSeen } from '../work/wanted-machine.js'

/**
 * Secrets from before a rotation would put the old key back, and what was written with the new one could not be read any
 * more. The record in the marks decides; without one, the keys that nodes run with must be known.
 */
export function refuseStaleKeys(desired: Desired, observed: Observed): void {
  const { keys } = desired.cluster
  if (keys === undefined) return
  const record = findKeyRecord(observed)
  if (record?.fingerprint === keys.fingerprint) return
  const older = olderKeys(keys.rotated, record?.rotated ?? {})
  if (older.length > 0) throw ofOlderKeys(older, observed)
  const isNewer = record !== undefined && olderKeys(record.rotated, keys.rotated).length > 0
  const foreign = foreignKeys(desired, observed)
  if (foreign.length > 0) throw ofForeignKeys(foreign, observed)
  if (record !== undefined && !isNewer) throw ofUnrecordedKeys(observed)
  refuseUntrusted(observed)
}

/** A restore puts the keys of its secrets back, if they are those of the snapshot. */
export function staleKeyNotes({ cluster: { name, restore, keys } }: Desired, observed: Observed): Finding[] {
  const record = findKeyRecord(observed)
  if (restore === undefined || keys === undefined || record?.fingerprint === keys.fingerprint) return []
  const older = olderKeys(keys.rotated, record?.rotated ?? {})
  if (older.length === 0) return []
  const text = `${rotations(older)} The restore puts the keys from before that back.`
  return [keysPutBack.note(text, { subject: { kind: 'cluster', name } })]
}

type Rotated = readonly [RotationTarget, RotatedKey]

/** The keys that changed in the second after the first. */
function olderKeys(before: RotatedKeys, after: RotatedKeys): Rotated[] {
  return rotationTargets.flatMap((what) => {
    const key = after[what]
    return key === undefined || key.generation <= (before[what]?.generation ?? 0) ? [] : [[what, key] as const]
  })
}

/** Keys that nodes run with, and that the secrets do not know; with the first node that has each. */
function foreignKeys({ machines }: Desired, observed: Observed): [ClusterKey, string][] {
  const found = new Map<ClusterKey, string>()
  for (const { machine, talos: wanted } of machines) {
    const config = activeConfig(findSeen(observed, machine.name))
    if (wanted === undefined || config === undefined || config === wanted.config) continue
    for (const key of wanted.foreignKeysIn(config)) if (!found.has(key)) found.set(key, machine.name)
  }
  return clusterKeys.flatMap((key) => {
    const machine = found.get(key)
    return machine === undefined ? [] : [[key, machine]]
  })
}

function activeConfig(seen: ObservedMachine | undefined): string | undefined {
  const { talos, mark } = seen ?? {}
  return mark?.stage !== 'leaving' && talos?.reach === 'secured' && talos.config.seen ? talos.config.value : undefined
}

/** One node with another CA may be another machine; all of them mean that the secrets are wrong. */
function refuseUntrusted(observed: Observed): void {
  const controlPlanes = observed.machines.filter(({ mark }) => mark.role === 'controlplane' && mark.stage === 'made')
  const untrusted = controlPlanes.filter(({ talos }) => talos.reach === 'silent' && talos.isUntrusted === true)
  if (untrusted.length === 0 || controlPlanes.some(({ talos }) => talos.reach === 'secured')) return
  const names = untrusted.map(({ name }) => name).join(', ')
  throw untrustedNodes.refuse(
    `${names} ${untrusted.length === 1 ? 'has a certificate' : 'have certificates'} that another Talos CA than that of the secrets has signed, and no other control plane answers.`,
    { subject: { kind: 'machine', name: names }, where: locationOf(observed), fix: fixFor(observed) },
  )
}

function ofOlderKeys(older: readonly Rotated[], observed: Observed): PlanRefused {
  return staleSecrets.refuse(`The secrets are older than the cluster: ${rotations(older)}`, {
    subject: { kind: 'cluster', name: locationOf(observed) },
    where: locationOf(observed),
    fix: fixFor(observed, [...new Set(older.flatMap(([, { by }]) => (by === '' ? [] : [by])))]),
  })
}

function rotations(older: readonly Rotated[]): string {
  const sentences = older.map(([what, { at, by }]) => {
    const who = by === '' ? '' : ` by ${by}`
    return `${keyNames[what]} was rotated${who} on ${at.slice(0, 16).replace('T', ' ')} UTC`
  })
  return `${sentences.join(', and ')}.`
}

function ofForeignKeys(foreign: readonly (readonly [ClusterKey, string])[], observed: Observed): PlanRefused {
  const names = foreign.map(([key]) => keyNames[key]).join(', ')
  const machines = [...new Set(foreign.map(([, machine]) => machine))].join(', ')
  return foreignSecrets.refuse(
    `The cluster runs with other keys than those of the secrets: ${names} (seen on ${machines}), and no rotation is under way.`,
    { subject: { kind: 'cluster', name: locationOf(observed) }, where: locationOf(observed), fix: fixFor(observed) },
  )
}

function ofUnrecordedKeys(observed: Observed): PlanRefused {
  return foreignSecrets.refuse('The secrets hold other keys than those that the control planes have on record.', {
    subject: { kind: 'cluster', name: locationOf(observed) },
    where: locationOf(observed),
    fix: fixFor(observed),
  })
}

function locationOf({ secrets }: Observed): string {
  return secrets.location ?? 'the secrets of the cluster'
}

function fixFor({ machines }: Observed, by: readonly string[] = []): string {
  const sources = ['version control', ...by].join(' or ')
  const isReachable = machines.some(({ mark, talos }) => mark.role === 'controlplane' && talos.reach === 'secured')
  const lost = isReachable
    ? 'ichor secrets recover reads the keys from a control plane'
    : 'NAME.secrets.age beside the newest snapshot of ichor backup list may have them'
  return `Get the newest secrets from ${sources}, then run the same command again. If they are lost: ${lost}.`
}
