import type { Role } from '../cluster/machine.js'
import type { TalosNode } from '../talos/api/port.js'
import type { HealthContext } from './check.js'

export interface HealthMachine {
  readonly name: string
  readonly role: Role
  readonly address: string
}

/** What the checks need to know about a cluster. */
export interface ClusterFacts {
  readonly machines: readonly HealthMachine[]
  /** Where the Kubernetes API is served: the control planes, or the endpoint. */
  readonly endpoints: readonly { readonly host: string; readonly port: number }[]
  /** Without a network addon, nodes are not expected to be Ready. */
  readonly hasCni: boolean
  /** Nodes that the inventory leaves to others, by name. */
  readonly unmanaged?: readonly string[]
}

export function controlPlanesOf(facts: ClusterFacts): HealthMachine[] {
  return facts.machines.filter(({ role }) => role === 'controlplane')
}

export function nodeOf(machine: HealthMachine, { world }: HealthContext): TalosNode {
  return world.talos.node({ machine: machine.name, address: machine.address })
}
