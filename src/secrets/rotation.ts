import { createPublicKey } from 'node:crypto'
import {
  isUnfinished,
  type KeyMaterial,
  lastGeneration,
  nextPhase,
  type RotatedKeys,
  type RotationAuthor,
  type RotationBeginning,
  type RotationNotes,
  type RotationState,
  type RotationTarget,
  rotationNotesOf,
  rotationPhases,
} from '../cluster/rotation.js'
import { readPrivateKey } from '../pki/private-key.js'
import type { AcceptedKeys, Rotation, SecretsBundle, SecretsChange, SecretsFile } from './bundle.js'

/** Before any node gets the new key. */
export function beginRotation(
  { memory }: Pick<SecretsFile, 'memory'>,
  { what, after, ...author }: RotationBeginning,
  fresh: KeyMaterial,
): SecretsChange {
  const rotation: Rotation = { what, phase: 'accept', run: author.run, other: fresh }
  return { rotation, rotated: changedBy(author, rotation, memory.rotated, after) }
}

/** The run that continues, and what it observed. */
export type Advance = RotationAuthor & RotationNotes

/** Starts the next phase. The keys are swapped in the same write. */
export function advanceRotation({ bundle, memory }: SecretsFile, seen: Advance): SecretsChange {
  const { rotation } = memory
  if (!isUnfinished(rotation)) throw new Error('no rotation is under way')
  const { what, phase } = rotation
  const notes = { ...rotationNotesOf(rotation), ...rotationNotesOf(seen) }
  const next: RotationState = { what, phase: nextPhase(what, phase), run: seen.run, ...notes }
  const rotated = changedBy(seen, next, memory.rotated)
  if (next.phase === 'done') return { rotation: next, rotated }
  const other = otherOf(rotation)
  if (next.phase !== 'issue') return { rotation: { ...next, other }, rotated }
  return {
    signing: { what: next.what, material: other },
    rotation: { ...next, other: signingKey(bundle, next.what) },
    rotated,
  }
}

/** Every change gets a generation of its own, so that an older file is recognized. */
function changedBy(
  { by, at }: Pick<RotationAuthor, 'by' | 'at'>,
  { what, phase }: RotationState,
  rotated: RotatedKeys = {},
  after = 0,
): RotatedKeys {
  const generation = Math.max(lastGeneration(rotated), after) + 1
  return { ...rotated, [what]: { generation, phase, at, by } }
}

/** The file after the change; the store writes the same. */
export function changedFile(file: SecretsFile, { signing, ...change }: SecretsChange): SecretsFile {
  const { bundle, memory } = file
  const signed = signing === undefined ? bundle : withSigningKey(bundle, signing.what, signing.material)
  const rotation = change.rotation ?? memory.rotation
  return { ...file, bundle: withAccepted(signed, rotation), memory: { ...memory, ...change } }
}

/** The predicted file when the steps up to this state are done. */
export function plannedFile(file: SecretsFile, state: RotationState | undefined, fresh: KeyMaterial): SecretsFile {
  if (state === undefined) return file
  let planned = file
  for (const _phase of rotationPhases) {
    const { rotation } = planned.memory
    // The same key may have been rotated before, by another run, and have come as far.
    if (rotation?.what === state.what && rotation.phase === state.phase && rotation.run === state.run) break
    const author = { ...state, ...unknownAuthor }
    const change = isUnfinished(rotation) ? advanceRotation(planned, author) : beginRotation(planned, author, fresh)
    planned = changedFile(planned, change)
  }
  return planned
}

/** A plan is not written. */
const unknownAuthor = { by: '', at: '', after: 0 }

/** With what nodes and clients also accept in this phase. */
export function withAccepted({ accepted: _before, ...bundle }: SecretsBundle, rotation?: Rotation): SecretsBundle {
  if (!isUnfinished(rotation) || rotation.phase === 'drop') return bundle
  return { ...bundle, accepted: acceptedOf(rotation.what, otherOf(rotation)) }
}

/** The place of a key in the bundle. */
interface KeyPlace {
  /** Path of the key. */
  readonly key: readonly string[]
  /** Path of its certificate. */
  readonly crt?: readonly string[]
  find(bundle: SecretsBundle): KeyMaterial
  replace(bundle: SecretsBundle, material: KeyMaterial): SecretsBundle
}

const places: Readonly<Record<RotationTarget, KeyPlace>> = {
  'talos-ca': caPlace('os'),
  'kubernetes-ca': caPlace('k8s'),
  'service-account-key': {
    key: ['certs', 'k8sserviceaccount', 'key'],
    find: ({ certs }) => certs.k8sserviceaccount,
    replace: ({ certs, ...bundle }, { key }) => ({ ...bundle, certs: { ...certs, k8sserviceaccount: { key } } }),
  },
  'etcd-encryption-key': {
    key: ['secrets', 'secretboxencryptionsecret'],
    find: ({ secrets }) => ({ key: secrets.secretboxencryptionsecret ?? '' }),
    replace: ({ secrets, ...bundle }, { key }) => ({
      ...bundle,
      secrets: { ...secrets, secretboxencryptionsecret: key },
    }),
  },
}

function caPlace(name: 'os' | 'k8s'): KeyPlace {
  return {
    crt: ['certs', name, 'crt'],
    key: ['certs', name, 'key'],
    find: ({ certs }) => certs[name],
    replace: ({ certs, ...bundle }, { crt = '', key }) => ({ ...bundle, certs: { ...certs, [name]: { crt, key } } }),
  }
}

/** The values to write when this key replaces the previous one. */
export function keyEntries(what: RotationTarget, { crt, key }: KeyMaterial): [path: readonly string[], text: string][] {
  const place = places[what]
  return [
    ...(place.crt === undefined || crt === undefined ? [] : [[place.crt, crt] as [readonly string[], string]]),
    [place.key, key],
  ]
}

/** The key in use. */
export function signingKey(bundle: SecretsBundle, what: RotationTarget): KeyMaterial {
  return places[what].find(bundle)
}

function withSigningKey(bundle: SecretsBundle, what: RotationTarget, material: KeyMaterial): SecretsBundle {
  return places[what].replace(bundle, material)
}

function acceptedOf(what: RotationTarget, { crt = '', key }: KeyMaterial): AcceptedKeys {
  switch (what) {
    case 'talos-ca':
      return { os: [crt] }
    case 'kubernetes-ca':
      return { k8s: [crt] }
    case 'service-account-key':
      return { serviceAccount: [publicKeyOf(key)] }
    case 'etcd-encryption-key':
      return { secretbox: [key] }
  }
}

function publicKeyOf(key: string): string {
  const pem = createPublicKey(readPrivateKey(Buffer.from(key, 'base64').toString())).export({
    type: 'spki',
    format: 'pem',
  })
  return Buffer.from(pem.toString()).toString('base64')
}

function otherOf({ other }: Rotation): KeyMaterial {
  if (other === undefined) throw new Error('the other key of the rotation is missing')
  return other
}
