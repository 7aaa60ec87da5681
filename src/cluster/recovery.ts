/** A restore of etcd, as the secrets remember it: whoever finds one that is not done finishes it and begins no other. */
export interface Recovery {
  /** Name of the snapshot; `sha256:…` for a file of others. */
  readonly snapshot: string
  /**
   * `clearing`: the old etcd is being removed from every control plane. `recovering`: none has it any more, so that whatever
   * etcd is seen from here on is the restored one. `done`: it was seen.
   */
  readonly stage: RecoveryStage
  /** The run that wrote this. */
  readonly run: string
  /** Machines that could not be reached meanwhile, control planes only where the user gave them up: whoever of them comes back still lives in the time before. */
  readonly gone?: readonly string[]
}

export type RecoveryStage = 'clearing' | 'recovering' | 'done'

const stages: readonly string[] = ['clearing', 'recovering', 'done'] satisfies RecoveryStage[]

export function isRecoveryStage(text: string): text is RecoveryStage {
  return stages.includes(text)
}
