import type { TalosMachine } from '../machine/machine.js'

/** A kind of resource of the node. */
export interface ResourceKind {
  /** `MachineStatuses.runtime.talos.dev`. */
  readonly type: string
  readonly namespace: string
  /** For admins only. */
  readonly isSensitive?: boolean
  /** The first minor version of Talos with it. */
  readonly since?: number
  list(machine: TalosMachine): readonly ResourceItem[]
}

export interface ResourceItem {
  readonly id: string
  /** The content of `yaml_spec`. */
  readonly spec: unknown
  /** The content of `proto_spec`. */
  readonly proto: Uint8Array
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}
