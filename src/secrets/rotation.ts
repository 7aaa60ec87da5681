import {
  isUnfinished,
  type KeyMaterial,
  nextPhase,
  type RotationState,
  type RotationTarget,
  rotationPhases,
} from '../cluster/rotation.js'
import type { Rotation, SecretsBundle, SecretsChange, SecretsFile } from './bundle.js'

/** Before any node sees the new key. */
export function beginRotation({ what, run }: Omit<RotationState, 'phase'>, fresh: KeyMaterial): SecretsChange {
  return { rotation: { what, phase: 'accept', run, other: fresh } }
}

/** Who goes on, and what they saw. */
export type Advance = Pick<RotationState, 'run' | 'podsUntil'>

/** From here on the nodes are brought to the next phase. The keys change places in the same write. */
export function advanceRotation(
  { bundle, memory: { rotation } }: SecretsFile,
  { run, podsUntil = rotation?.podsUntil }: Advance,
): SecretsChange {
  if (!isUnfinished(rotation)) throw new Error('no rotation is under way')
  const state = { what: rotation.what, phase: nextPhase(rotation.phase), run }
  const next = podsUntil === undefined ? state : { ...state, podsUntil }
  if (next.phase === 'done') return { rotation: next }
  const other = otherOf(rotation)
  if (next.phase !== 'issue') return { rotation: { ...next, other } }
  return {
    signing: { what: next.what, material: other },
    rotation: { ...next, other: signingKey(bundle, next.what) },
  }
}

/** What the file holds after the change; the store writes the same. @internal */
export function changedFile({ bundle, memory }: SecretsFile, { signing, ...change }: SecretsChange): SecretsFile {
  const signed = signing === undefined ? bundle : withSigningKey(bundle, signing.what, signing.material)
  const rotation = change.rotation ?? memory.rotation
  return { bundle: withAccepted(signed, rotation), memory: { ...memory, ...change } }
}

/** The file as a plan sees it when the steps up to this state are done. */
export function plannedFile(file: SecretsFile, state: RotationState | undefined, fresh: KeyMaterial): SecretsFile {
  if (state === undefined) return file
  let planned = file
  for (const _phase of rotationPhases) {
    const { rotation } = planned.memory
    if (rotation?.what === state.what && rotation.phase === state.phase) break
    const change = isUnfinished(rotation) ? advanceRotation(planned, state) : beginRotation(state, fresh)
    planned = changedFile(planned, change)
  }
  return planned
}

/** With what nodes and clients accept beside it in this phase. */
export function withAccepted({ accepted: _before, ...bundle }: SecretsBundle, rotation?: Rotation): SecretsBundle {
  if (!isUnfinished(rotation) || rotation.phase === 'drop') return bundle
  const { crt } = otherOf(rotation)
  return crt === undefined ? bundle : { ...bundle, accepted: { [placeOf(rotation.what)]: [crt] } }
}

/** The key that signs now. */
function signingKey({ certs }: SecretsBundle, what: RotationTarget): KeyMaterial {
  return certs[placeOf(what)]
}

/** Where the bundle holds it. */
export function placeOf(what: RotationTarget): 'os' | 'k8s' {
  return what === 'talos-ca' ? 'os' : 'k8s'
}

function withSigningKey(bundle: SecretsBundle, what: RotationTarget, { crt = '', key }: KeyMaterial): SecretsBundle {
  return { ...bundle, certs: { ...bundle.certs, [placeOf(what)]: { crt, key } } }
}

function otherOf({ other }: Rotation): KeyMaterial {
  if (other === undefined) throw new Error('the other key of the rotation is missing')
  return other
}
