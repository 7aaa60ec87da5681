/** Keys that can be replaced in a running cluster: the old and the new one are both accepted for a while. */
export const rotationTargets = ['talos-ca', 'kubernetes-ca', 'service-account-key', 'etcd-encryption-key'] as const

export type RotationTarget = (typeof rotationTargets)[number]

/** Keys with a certificate. */
export type RotatedCa = 'talos-ca' | 'kubernetes-ca'

/**
 * `accept`: every node accepts the new key in addition to the old one, which is still used. `issue`: the new one is
 * used, the old one still accepted. `renew`: what was made with the old one is recreated, unless nodes do that at once.
 * `drop`: nodes no longer accept the old one. `done`: nothing of the old one is left.
 */
export const rotationPhases = ['accept', 'issue', 'renew', 'drop', 'done'] as const

export type RotationPhase = (typeof rotationPhases)[number]

/** A key and its certificate, if it has one. Both are base64 of PEM; the etcd key is base64 of its bytes. */
export interface KeyMaterial {
  readonly crt?: string
  readonly key: string
}

/** The progress of a rotation: recorded in the secrets before any node changes, so that every run finds it. */
export interface RotationState {
  readonly what: RotationTarget
  readonly phase: RotationPhase
  /** The run that wrote this. */
  readonly run: string
  /** Pods that started until then, by the clock of the cluster, received only the old CA, or a token of the old key. */
  readonly podsUntil?: string
  /**
   * For the service account key: when every API server was verified to sign with the new one, by the clock of the
   * cluster.
   */
  readonly issuedAt?: string
  /** For the etcd key: Secrets with this resource version or a lower one may be encrypted with the old key. */
  readonly secretsUntil?: string
}

/** Facts recorded at the end of a phase. */
export type RotationNotes = Pick<RotationState, 'podsUntil' | 'issuedAt' | 'secretsUntil'>

export function rotationNotesOf({ podsUntil, issuedAt, secretsUntil }: RotationNotes): RotationNotes {
  return {
    ...(podsUntil === undefined ? {} : { podsUntil }),
    ...(issuedAt === undefined ? {} : { issuedAt }),
    ...(secretsUntil === undefined ? {} : { secretsUntil }),
  }
}

/** The run that changes a key. */
export interface RotationAuthor {
  readonly run: string
  /** For people: `ada@desk`. */
  readonly by: string
  /** ISO 8601. */
  readonly at: string
}

export interface RotationBeginning extends RotationAuthor {
  readonly what: RotationTarget
  /** The newest generation that the cluster has recorded. */
  readonly after: number
}

/** An unfinished rotation. */
export function isUnfinished<R extends RotationState>(
  rotation: R | undefined,
): rotation is R & { readonly phase: Exclude<RotationPhase, 'done'> } {
  return rotation !== undefined && rotation.phase !== 'done'
}

export function nextPhase(what: RotationTarget, phase: RotationPhase): RotationPhase {
  const phases: readonly RotationPhase[] = rotationPhases.filter((one) => one !== 'renew' || !isRotatedCa(what))
  return phases[phases.indexOf(phase) + 1] ?? 'done'
}

export function isRotatedCa(what: RotationTarget): what is RotatedCa {
  return what === 'talos-ca' || what === 'kubernetes-ca'
}

export function isRotationTarget(text: string): text is RotationTarget {
  return rotationTargets.some((target) => target === text)
}

export function isRotationPhase(text: string): text is RotationPhase {
  return rotationPhases.some((phase) => phase === text)
}

/** When a key was last changed and by whom. `generation` counts all changes of keys in the life of the cluster. */
export interface RotatedKey {
  readonly generation: number
  readonly phase: RotationPhase
  readonly at: string
  readonly by: string
}

export type RotatedKeys = Readonly<Partial<Record<RotationTarget, RotatedKey>>>

/** Of the last change; 0 if no key was ever rotated. */
export function lastGeneration(rotated: RotatedKeys): number {
  return Math.max(0, ...Object.values(rotated).map(({ generation }) => generation))
}
