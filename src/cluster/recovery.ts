/**
 * A restore of etcd, as recorded in the secrets: a run that finds an unfinished one completes it and starts no other.
 */
export interface Recovery {
  /** Name of the snapshot; `sha256:…` for a file that ichor did not write. */
  readonly snapshot: string
  /**
   * `clearing`: the old etcd is being removed from every control plane. `recovering`: no control plane has it any more,
   * so any etcd that is observed from now on is the restored one. `done`: it was observed.
   */
  readonly stage: RecoveryStage
  /** The run that wrote this. */
  readonly run: string
  /**
   * Machines that were unreachable during the restore, control planes only if the user gave them up. If they return,
   * their state is from before the restore.
   */
  readonly gone?: readonly string[]
}

export type RecoveryStage = 'clearing' | 'recovering' | 'done'

const stages: readonly string[] = ['clearing', 'recovering', 'done'] satisfies RecoveryStage[]

export function isRecoveryStage(text: string): text is RecoveryStage {
  return stages.includes(text)
}
