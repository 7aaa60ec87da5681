/** Keys that can be replaced in a running cluster: the old one and the new one are both accepted for a while. */
export const rotationTargets = ['talos-ca', 'kubernetes-ca'] as const

export type RotationTarget = (typeof rotationTargets)[number]

/**
 * `accept`: every node learns to accept the new key beside the old one, which still signs. `issue`: the new one signs, the
 * old one is still accepted. `drop`: nodes forget the old one. `done`: nothing of the old one is left.
 */
export const rotationPhases = ['accept', 'issue', 'drop', 'done'] as const

export type RotationPhase = (typeof rotationPhases)[number]

/** A key that signs, with its certificate where it has one; both are base64 of PEM. */
export interface KeyMaterial {
  readonly crt?: string
  readonly key: string
}

/** Where a rotation is: written into the secrets before any node sees a change, so that every run finds it. */
export interface RotationState {
  readonly what: RotationTarget
  readonly phase: RotationPhase
  /** The run that wrote this. */
  readonly run: string
  /** Of the Kubernetes CA: pods that started until then, by the clock of the cluster, read only the old one. */
  readonly podsUntil?: string
}

/** A rotation that somebody has to finish. */
export function isUnfinished<R extends RotationState>(
  rotation: R | undefined,
): rotation is R & { readonly phase: Exclude<RotationPhase, 'done'> } {
  return rotation !== undefined && rotation.phase !== 'done'
}

export function nextPhase(phase: RotationPhase): RotationPhase {
  return rotationPhases[rotationPhases.indexOf(phase) + 1] ?? 'done'
}

export function isRotationTarget(text: string): text is RotationTarget {
  return rotationTargets.some((target) => target === text)
}

export function isRotationPhase(text: string): text is RotationPhase {
  return rotationPhases.some((phase) => phase === text)
}

/** For people. */
export const keyNames: Readonly<Record<RotationTarget, string>> = {
  'talos-ca': 'the Talos CA',
  'kubernetes-ca': 'the Kubernetes CA',
}
