import { lookupBy } from '../cluster/lookup.js'
import type { Taint } from '../cluster/machine.js'
import type { DesiredMachine } from '../desired/desired.js'
import { unwantedLabels, unwantedTaints } from '../kubernetes/nodes.js'
import type { NodeInfo } from '../kubernetes/port.js'
import type { TalosNode } from '../talos/api/port.js'
import { findSeen, findWanted } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'
import { kubernetesApi } from './kubernetes-api.js'

const cordonedBy = 'ichor.dev/cordoned'
const nodeByUuid = lookupBy(({ systemUuid }: NodeInfo) => systemUuid.toLowerCase())

/** The node of a machine, by system UUID, not by name. */
export async function findNode(machine: string, context: WorkContext): Promise<NodeInfo | undefined> {
  return nodeOfMachine(machine, await (await kubernetesApi(context)).nodes(context.signal), context)
}

export function nodeOfMachine(
  machine: string,
  nodes: readonly NodeInfo[],
  { desired, observed }: Pick<WorkContext, 'desired' | 'observed'>,
): NodeInfo | undefined {
  const uuid = findWanted(desired, machine)?.machine.identity.uuid ?? findSeen(observed, machine)?.mark.uuid
  return uuid === undefined ? undefined : nodeByUuid(nodes, uuid)
}

/** Ready in this boot: Kubernetes still shows a node as Ready for most of a minute after it went down. */
export async function isNodeBack(
  machine: string,
  talos: Pick<TalosNode, 'bootId'>,
  context: WorkContext,
): Promise<boolean> {
  const node = await findNode(machine, context)
  if (node?.ready !== true) return false
  return node.bootId === undefined || node.bootId === (await talos.bootId(context.signal))
}

/** All wanted labels, and none that ichor set before and are no longer wanted. */
export function hasLabels(node: NodeInfo, { node: { labels } }: DesiredMachine): boolean {
  if (unwantedLabels(node, labels).length > 0) return false
  return Object.entries(labels).every(([key, value]) => node.labels[key] === value)
}

/** Like `hasLabels`. */
export function hasTaints(node: NodeInfo, taints: readonly Taint[]): boolean {
  if (unwantedTaints(node, taints).length > 0) return false
  return taints.every((wanted) =>
    node.taints.some(
      (taint) =>
        taint.key === wanted.key && taint.effect === wanted.effect && (taint.value ?? '') === (wanted.value ?? ''),
    ),
  )
}

/** A cordon that ichor set, in this run or in an interrupted one, or whose end it did not see through. */
export function isCordonedByUs({ annotations }: Pick<NodeInfo, 'annotations'>): boolean {
  return annotations[cordonedBy] !== undefined
}

export function cordoned(node: NodeInfo): NodeInfo {
  return { ...node, unschedulable: true, annotations: { ...node.annotations, [cordonedBy]: 'true' } }
}

export function uncordoned({ annotations: { [cordonedBy]: _, ...annotations }, ...node }: NodeInfo): NodeInfo {
  return { ...node, annotations, unschedulable: false }
}

/** The node that a machine is expected to become. */
export function plannedNode({ machine }: DesiredMachine, kubernetesVersion: string): NodeInfo {
  const { name, identity, labels } = machine
  return { ...nodeOf({ name, uuid: identity.uuid }, kubernetesVersion), labels }
}

/** The node of a machine, by name and UUID. */
export function nodeOf(
  { name, uuid }: { readonly name: string; readonly uuid: string },
  kubernetesVersion: string,
): NodeInfo {
  return {
    name,
    systemUuid: uuid,
    ready: true,
    unschedulable: false,
    kubeletVersion: kubernetesVersion,
    internalAddresses: [],
    labels: {},
    taints: [],
    annotations: {},
  }
}
