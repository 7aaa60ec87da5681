import type { KeyMaterial, RotationTarget } from '../cluster/rotation.js'

/** What a run is asked for beyond the inventory. */
export interface RunIntent {
  /** The old etcd is lost and given up: a new, empty one may replace it. */
  readonly newEtcd?: boolean
  /** Why unwanted machines leave, by name; replaces the default reason in a plan. */
  readonly leaving?: Readonly<Record<string, string>>
  /** Machines whose VM this run replaces, by name: the ID of the run, which is stored in their marks. */
  readonly replacing?: Readonly<Record<string, string>>
  /** Machines that this run reboots, by name: the ID of the run. */
  readonly rebooting?: Readonly<Record<string, string>>
  /** The key that this run replaces. */
  readonly rotating?: RequestedRotation
  /** Machines may be rolled back to the Talos in their other boot slot. */
  readonly rollback?: boolean
}

/** A key that is to be replaced by a new one. */
export interface RequestedRotation {
  readonly what: RotationTarget
  /** The run that requests it: a rotation that another run finished is not this one. */
  readonly run: string
  /** Used if no rotation has started. */
  readonly fresh: KeyMaterial
}
