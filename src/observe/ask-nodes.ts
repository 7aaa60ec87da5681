import { mapLimit } from '../cluster/map-limit.js'
import { ifSeen } from '../cluster/seen.js'
import type { NodeInfo } from '../kubernetes/port.js'
import type { World } from '../world.js'
import { askEtcd, askEtcdProblem, type UnreadControlPlane } from './ask-etcd.js'
import { askKubernetes } from './ask-kubernetes.js'
import { askElsewhere, askTalos } from './ask-talos.js'
import { askedMachine, type ObserveScope } from './observe-scope.js'
import type { Observed, ObservedMachine } from './observed.js'

/** Nodes queried at a time: each connection costs both ends some work. */
const nodesAtOnce = 48

/** What runs inside the machines: Talos on each, then etcd and Kubernetes through the control planes that respond. */
export async function askNodes(
  owned: readonly ObservedMachine[],
  unread: readonly UnreadControlPlane[],
  question: ObserveScope,
  world: World,
  signal: AbortSignal,
  gone: readonly string[] = [],
): Promise<Pick<Observed, 'machines' | 'etcd' | 'kubernetes'>> {
  const machines = await mapLimit(owned, nodesAtOnce, async (machine) =>
    confirmed(await askTalos(machine, question, world, signal), world, signal),
  )
  // Machines that a restore gave up have only the replaced etcd.
  const controlPlanes = machines.filter((machine) => isControlPlane(machine, question) && !gone.includes(machine.name))
  const askedEtcd = askEtcd(controlPlanes, unread, world, signal)
  const [etcd, kubernetes] = await Promise.all([
    askedEtcd,
    askKubernetes(controlPlanes, askedEtcd, question, world, signal),
  ])
  const nodes = new Map(ifSeen(kubernetes)?.nodes.map((node) => [node.systemUuid.toLowerCase(), node]))
  const finished = await mapLimit(machines, nodesAtOnce, async (machine) =>
    askElsewhere(await askEtcdProblem(withNode(machine, nodes), etcd, world, signal), question, world, signal),
  )
  return { machines: finished, etcd, kubernetes }
}

/** The statistics lag by seconds: a silent machine may have been switched off just now. */
async function confirmed(machine: ObservedMachine, { proxmox }: World, signal: AbortSignal): Promise<ObservedMachine> {
  if (machine.status !== 'running' || machine.talos.reach !== 'silent') return machine
  const now = await proxmox.machines.findStatus(machine, signal)
  if (now?.status === 'stopped') return { ...machine, status: 'stopped', pending: [], talos: { reach: 'off' } }
  if (now === undefined || now.qmpStatus === 'running') return machine
  return { ...machine, talos: { ...machine.talos, halted: now.qmpStatus } }
}

function isControlPlane({ name, mark }: ObservedMachine, question: ObserveScope): boolean {
  const wanted = askedMachine(question, name)
  return (wanted?.role ?? mark.role) === 'controlplane'
}

/** Nodes are matched by system UUID, not by name. */
function withNode(machine: ObservedMachine, nodes: ReadonlyMap<string, NodeInfo>): ObservedMachine {
  const node = nodes.get(machine.mark.uuid)
  return node === undefined ? machine : { ...machine, node }
}
