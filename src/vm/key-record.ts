import { lastGeneration } from '../cluster/rotation.js'
import type { Desired } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { formatKeyRecord, type KeyRecord, parseKeyRecord } from '../ownership/key-record.js'
import type { Mark } from '../ownership/mark.js'

/** The record of the keys in the secrets, as a part of a mark. */
export function recordedKeys({ cluster: { keys } }: Pick<Desired, 'cluster'>): { readonly keys?: string } {
  return keys === undefined ? {} : { keys: formatKeyRecord(keys) }
}

/** The newest record among the control planes that can be read; those that a restore gave up do not count. */
export function findKeyRecord({ machines, secrets }: Pick<Observed, 'machines' | 'secrets'>): KeyRecord | undefined {
  const gone = new Set(secrets.recovery?.gone)
  return machines
    .filter(({ name, isSealed }) => isSealed && !gone.has(name))
    .flatMap(({ mark }) => findRecordIn(mark) ?? [])
    .toSorted((one, other) => lastGeneration(other.rotated) - lastGeneration(one.rotated))[0]
}

/** Marks from before a key was rotated need no record. */
export function isRecorded({ mark }: Pick<ObservedMachine, 'mark'>, { cluster: { keys } }: Desired): boolean {
  if (keys === undefined || mark.role !== 'controlplane') return true
  const record = findRecordIn(mark)
  const generation = lastGeneration(keys.rotated)
  if (record === undefined) return generation === 0
  return record.fingerprint === keys.fingerprint && lastGeneration(record.rotated) >= generation
}

function findRecordIn({ role, more }: Mark): KeyRecord | undefined {
  return role === 'controlplane' ? parseKeyRecord(more?.keys) : undefined
}
