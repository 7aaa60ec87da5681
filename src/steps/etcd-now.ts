import { majority } from '../cluster/quorum.js'
import { PlanRefused } from '../errors.js'
import type { EtcdMember, TalosNode } from '../talos/api/port.js'
import type { World } from '../world.js'
import type { StepContext } from './step.js'

/** etcd as its members tell it in this moment. */
export interface EtcdNow {
  /** As a member that has its quorum sees them; empty when nobody answers. */
  readonly members: readonly EtcdMember[]
  /** Machines whose member answers, votes and knows a leader. */
  readonly healthy: ReadonlySet<string>
  /** The API of one of those. */
  readonly respondingMember?: TalosNode
}

export async function askEtcdNow(world: World, context: StepContext, except?: string): Promise<EtcdNow> {
  const nodes = controlPlanes(context)
    .filter(({ machine }) => machine !== except)
    .map((target) => ({ machine: target.machine, node: world.talos.node(target) }))
  const answers = await Promise.all(nodes.map(async ({ node }) => votes(node, context.signal)))
  const healthy = nodes.filter((_, index) => answers[index])
  const respondingMember = healthy[0]?.node
  const members = (await respondingMember?.etcd.members({ local: true }, context.signal).catch(() => [])) ?? []
  return {
    members,
    healthy: new Set(healthy.map(({ machine }) => machine)),
    ...(respondingMember === undefined ? {} : { respondingMember }),
  }
}

/** A member may go away for a while only when the others are a majority without it; an only one has nobody to ask. */
export async function guardPause(machine: string, world: World, context: StepContext): Promise<void> {
  const { members, healthy } = await askEtcdNow(world, context)
  if (!healthy.has(machine) || members.length <= 1 || healthy.size - 1 >= majority(members.length)) return
  throw new PlanRefused(
    `etcd has ${members.length} members, ${healthy.size} of them healthy: without ${machine} it would lose its majority.`,
    {
      where: `machine ${machine}`,
      fix: 'Bring the other control planes back first: ichor status shows which one is missing.',
    },
  )
}

function controlPlanes({ desired, observed }: StepContext): { machine: string; address: string }[] {
  const wanted = desired.machines.map(({ machine: { name, role }, address }) => ({ name, role, address }))
  const names = new Set(wanted.map(({ name }) => name))
  const surplus = observed.machines
    .filter(({ name }) => !names.has(name))
    .map(({ name, mark, address }) => ({ name, role: mark.role, address }))
  return [...wanted, ...surplus]
    .filter(({ role }) => role === 'controlplane')
    .flatMap(({ name, address }) => {
      const known = address ?? observed.machines.find((seen) => seen.name === name)?.address
      return known === undefined ? [] : [{ machine: name, address: known }]
    })
}

async function votes(node: TalosNode, signal: AbortSignal): Promise<boolean> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(5000)])
  const status = await node.etcd.status(patience).catch(() => undefined)
  return status !== undefined && !/^0*$/.test(status.leader) && !status.isLearner
}
