import type { Finding } from '../findings/finding.js'
import type { StepLimit } from './step-limit.js'

/**
 * A plan as plain data, the same after `JSON.parse(JSON.stringify())`: what `plan --json`, plan files and approvals
 * show. Fields are added, never renamed.
 */
export interface PlanView {
  readonly version: 2
  readonly cluster: string
  /** As in the marks of its machines; `null` before the cluster has secrets. */
  readonly cluster_id: string | null
  /** `up`, `destroy`, `restore` and so on. */
  readonly goal: string
  /** The machines that the plan is limited to. */
  readonly target: readonly string[] | null
  readonly made_at: string
  readonly ichor_version: string
  /** Over the ID, the digest and the losses of every step; keyed with the cluster secrets, as those digests are. */
  readonly digest: string
  /** The number of the lease of the run that carries it out; in a plan file, of the last run before it. */
  readonly lease: number | null
  /** When an approval of it ends. */
  readonly expires: string | null
  /** Proves that the writer of a plan file had the cluster secrets. */
  readonly seal: string | null
  /** The versions in the inventory. */
  readonly talos_version: string
  readonly kubernetes_version: string
  /** What its machines run now. */
  readonly running_talos?: readonly string[]
  readonly running_kubernetes?: readonly string[]
  readonly endpoint: string | null
  /** Hosts of the machines that are wanted or exist. */
  readonly hosts: readonly string[]
  /** How many steps change something. */
  readonly changes: number
  readonly rounds: number
  readonly steps: readonly StepView[]
  readonly machines: readonly MachineRow[]
  readonly others: readonly OtherRow[]
  /** Machines that cannot be changed now because their hosts do not respond. */
  readonly away: readonly string[]
  /** What could not be observed and is therefore left unchanged. */
  readonly unknown: readonly { readonly what: string; readonly why: string }[]
  /** What was noticed and is left unchanged, in words. */
  readonly notes: readonly string[]
  /** The notes that describe differences from the inventory. */
  readonly differences: readonly string[]
  /** What does not fit and stays so: the notes, and what `doctor` would find in the same observation. */
  readonly findings: readonly Finding[]
}

export interface StepView {
  readonly id: string
  readonly round: number
  readonly lane: string | null
  /** What bounds how many steps run at once: the lane, and the turn of a machine. */
  readonly limits?: readonly StepLimit[]
  readonly kind: string
  readonly title: string
  readonly reason: string
  readonly machine: string | null
  readonly after: readonly string[]
  /** It only waits for something, or looks at it. */
  readonly waits: boolean
  readonly disruptive: boolean
  /** Data that is lost, in words. */
  readonly loses: readonly string[]
  readonly loses_data: string | null
  /** Old and new values, as far as they are known; empty for a step that creates, deletes or waits. */
  readonly changes: readonly Change[]
  /** Of what the step writes; `null` if it writes nothing that could differ. */
  readonly digest: string | null
  /** Names of inputs that are not known yet. */
  readonly pending: readonly string[]
}

/** One value, before and after: never a secret. */
export interface Change {
  /** `ram`, `Talos`, `disk scsi1`, `machine.sysctls.vm.max_map_count`. */
  readonly what: string
  /** `null`: there was none. */
  readonly from: string | null
  /** `null`: it is removed. */
  readonly to: string | null
}

/** A machine that a plan creates, changes, replaces by another VM, or deletes. */
export interface MachineRow {
  readonly name: string
  readonly action: 'create' | 'change' | 'replace' | 'delete'
  readonly host: string | null
  readonly vmid: number | null
  readonly address: string | null
  readonly cpu: number | null
  /** Bytes. */
  readonly memory: number | null
  /** Empty for a machine that is deleted. */
  readonly disks: readonly {
    readonly slot: string
    readonly datastore: string
    readonly size: number
    readonly volume: string | null
  }[]
  readonly loses: readonly string[]
  /** Why it is changed, one sentence each. */
  readonly reasons: readonly string[]
  readonly disruptive: boolean
}

/** Something other than a machine that a plan creates, changes or deletes. */
export interface OtherRow {
  readonly action: 'create' | 'change' | 'delete'
  readonly name: string
  readonly host: string | null
  readonly vmid: number | null
  readonly text: string
  readonly loses: readonly string[]
}
