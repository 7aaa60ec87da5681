import { keyNames } from '../cluster/cluster-key.js'
import { isUnfinished, type RotationTarget, rotationTargets } from '../cluster/rotation.js'
import { ifSeen } from '../cluster/seen.js'
import type { PlanRefused } from '../errors.js'
import { unrecoverableKeys } from '../findings/refusals/secrets.js'
import { observe } from '../observe/observe.js'
import type { Observed } from '../observe/observed.js'
import { type KeyRecord, keyRecordOf } from '../ownership/key-record.js'
import type { SecretsBundle, SecretsChange, SecretsFile } from '../secrets/bundle.js'
import { readImport } from '../secrets/import/read-import.js'
import { changedFile, signingKey } from '../secrets/rotation.js'
import type { SecretsStore } from '../secrets/store.js'
import { findKeyRecord } from '../vm/key-record.js'
import type { Session } from './session.js'

/**
 * Reads rotated keys back from the config of a control plane, when the secrets file that has them is lost. Returns the
 * keys that were written.
 */
export async function recoverSecrets(
  { inventory, world }: Pick<Session, 'inventory' | 'world'>,
  store: SecretsStore,
  signal: AbortSignal,
): Promise<RotationTarget[]> {
  const file = await store.find()
  if (file === undefined) throw withoutFile(store)
  const observed = await observe(inventory, world, signal)
  const record = findKeyRecord(observed)
  refuseHalfRotated(record, store)
  const running = runningBundle(observed, store)
  const lost = rotationTargets.filter((what) => signingKey(running, what).key !== signingKey(file.bundle, what).key)
  const changes: SecretsChange[] = [
    ...lost.map((what) => ({ signing: { what, material: signingKey(running, what) } })),
    memoryOf(file, record),
  ]
  refuseOtherKeys(changes.reduce(changedFile, file), running, record, store)
  for (const change of changes) await store.remember(change)
  return lost
}

/** A rotation that the old file has not finished is over; the record knows who finished it. */
function memoryOf({ memory: { rotation, rotated = {} } }: SecretsFile, record: KeyRecord | undefined): SecretsChange {
  return {
    rotated: record?.rotated ?? rotated,
    ...(isUnfinished(rotation) ? { rotation: { what: rotation.what, phase: 'done' as const, run: rotation.run } } : {}),
  }
}

function runningBundle({ machines }: Observed, store: SecretsStore): SecretsBundle {
  for (const { name, mark, talos } of machines) {
    const config = talos.reach === 'secured' ? ifSeen(talos.config) : undefined
    if (mark.role === 'controlplane' && config !== undefined) return readImport(config, `the config of ${name}`).bundle
  }
  throw unrecoverableKeys.refuse('No control plane shows its config to these secrets.', {
    subject: { kind: 'object', name: store.location },
    where: store.location,
    fix: 'If the Talos CA was rotated, only the newest secrets reach the nodes: NAME.secrets.age beside the newest snapshot of ichor backup list may have them.',
  })
}

/** Nodes hold only one of the two keys. */
function refuseHalfRotated(record: KeyRecord | undefined, { location }: SecretsStore): void {
  const unfinished = rotationTargets.find((what) =>
    isUnfinished({ what, phase: 'done', run: '', ...record?.rotated[what] }),
  )
  if (unfinished === undefined) return
  const by = record?.rotated[unfinished]?.by ?? ''
  throw unrecoverableKeys.refuse(
    `A rotation of ${keyNames[unfinished]} is not finished, and nodes do not have both keys.`,
    {
      subject: { kind: 'object', name: location },
      where: location,
      fix: `Get the secrets of that rotation from ${['version control', by].filter(Boolean).join(' or ')}, then run ichor secrets rotate ${unfinished}.`,
    },
  )
}

/** Everything else must fit: the other keys are never rotated. */
function refuseOtherKeys(
  recovered: SecretsFile,
  running: SecretsBundle,
  record: KeyRecord | undefined,
  { location }: SecretsStore,
): void {
  const { fingerprint } = keyRecordOf(recovered)
  const read = keyRecordOf({ bundle: running, memory: { bootstrapped: true, values: {} } }).fingerprint
  if (fingerprint === read && (record === undefined || record.fingerprint === read)) return
  throw unrecoverableKeys.refuse(
    'The control plane has other keys than those on record, or is one of another cluster.',
    {
      subject: { kind: 'object', name: location },
      where: location,
      fix: 'Get the newest secrets from version control, or from the last person who rotated a key.',
    },
  )
}

function withoutFile({ location }: SecretsStore): PlanRefused {
  return unrecoverableKeys.refuse('There are no secrets to which keys could be added.', {
    subject: { kind: 'object', name: location },
    where: location,
    fix: 'Restore any version of the secrets file first: without it no node can be asked.',
  })
}
