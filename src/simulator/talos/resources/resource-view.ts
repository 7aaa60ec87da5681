import type { TalosMachine } from '../machine/machine.js'
import { blockResources } from './block-resources.js'
import { clusterResources } from './cluster-resources.js'
import { definitionResources, emptyKinds } from './definition-resources.js'
import { machineResources, yamlOf } from './machine-resources.js'
import { networkResources } from './network-resources.js'
import type { ResourceKind } from './resource-kind.js'
import { secretResources } from './secret-resources.js'

const modelled = [...machineResources, ...networkResources, ...blockResources, ...clusterResources, ...secretResources]
const reported = [...modelled, ...emptyKinds(modelled)]
const kinds = new Map([...reported, ...definitionResources(reported)].map((kind) => [kind.type, kind]))

/** The kind with that name in that namespace, in this version of Talos. */
export function findResourceKind({ minor }: TalosMachine, namespace: string, type: string): ResourceKind | undefined {
  const kind = kinds.get(type)
  return kind?.namespace === namespace && (kind.since ?? 0) <= minor ? kind : undefined
}

export function isResourceType({ minor }: TalosMachine, type: string): boolean {
  return (kinds.get(type)?.since ?? 0) <= minor && kinds.has(type)
}

/** The current state of one resource, with a version that increases when its content changes. */
export interface SeenResource {
  readonly id: string
  readonly version: number
  readonly yaml: string
  readonly proto: Uint8Array
  /** Model milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

const seen = new WeakMap<TalosMachine, Map<string, SeenResource>>()

/** The current resources of a kind; unchanged ones keep their version. */
export function listResources(machine: TalosMachine, kind: ResourceKind): SeenResource[] {
  const known = seen.get(machine) ?? new Map<string, SeenResource>()
  seen.set(machine, known)
  const now = machine.fleet.clock.now()
  const sorted = kind.list(machine).toSorted((one, other) => (one.id < other.id ? -1 : Number(one.id > other.id)))
  return sorted.map(({ id, spec, proto, labels = {}, annotations = {} }) => {
    const key = `${kind.type}/${id}`
    const before = known.get(key)
    const yaml = yamlOf(spec)
    if (before?.yaml === yaml) return before
    const version = (before?.version ?? 0) + 1
    const fresh = { id, version, yaml, proto, labels, annotations, createdAt: before?.createdAt ?? now, updatedAt: now }
    known.set(key, fresh)
    return fresh
  })
}
