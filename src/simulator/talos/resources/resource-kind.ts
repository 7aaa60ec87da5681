import type { TalosMachine } from '../machine/machine.js'

/** A kind of resource that the node can be asked for. */
export interface ResourceKind {
  /** `MachineStatuses.runtime.talos.dev`. */
  readonly type: string
  readonly namespace: string
  /** For admins only. */
  readonly isSensitive?: boolean
  /** The minor version of Talos that brought it. */
  readonly since?: number
  list(machine: TalosMachine): readonly ResourceItem[]
}

export interface ResourceItem {
  readonly id: string
  /** What `yaml_spec` shows. */
  readonly spec: unknown
  /** What `proto_spec` holds. */
  readonly proto: Uint8Array
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}
