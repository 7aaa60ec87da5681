import type { EtcdMember, TalosNode } from '../talos/api/port.js'
import { findSeen } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'

/** The current state of etcd as its members report it. */
export interface EtcdNow {
  /** As a member with quorum reports them; empty if none responds. */
  readonly members: readonly EtcdMember[]
  /** Members that respond, vote and know a leader: machine names by member ID. */
  readonly healthy: ReadonlyMap<string, string>
  /** The API of one of those members. */
  readonly respondingMember?: TalosNode
}

export async function askEtcdNow(context: WorkContext): Promise<EtcdNow> {
  const nodes = controlPlanes(context).map((target) => ({
    machine: target.machine,
    node: context.talos.node(target),
  }))
  const answers = await Promise.all(nodes.map(async ({ node }) => findVoter(node, context.signal)))
  const healthy = nodes.flatMap(({ machine, node }, index) => {
    const member = answers[index]
    return member === undefined ? [] : [{ machine, node, member }]
  })
  const respondingMember = healthy[0]?.node
  const members = (await respondingMember?.etcd.members({ local: false }, context.signal).catch(() => [])) ?? []
  return {
    members,
    healthy: new Map(healthy.map(({ member, machine }) => [member, machine])),
    ...(respondingMember === undefined || members.length === 0 ? {} : { respondingMember }),
  }
}

/** The member of a machine: the one it reports, otherwise the one with its name or address. */
export function findMemberNow(
  { members, healthy }: EtcdNow,
  machine: string,
  context: WorkContext,
): EtcdMember | undefined {
  const reported = [...healthy].find(([, owner]) => owner === machine)?.[0]
  if (reported !== undefined) return members.find(({ id }) => id === reported)
  const address = findTarget(machine, context)?.address
  const node = findSeen(context.observed, machine)?.node?.name
  return members.find(
    ({ id, hostname, peerUrls }) =>
      !healthy.has(id) &&
      (hostname === machine || hostname === node || peerUrls.some((url) => hostOf(url) === address)),
  )
}

function findTarget(machine: string, context: WorkContext) {
  return controlPlanes(context).find((target) => target.machine === machine)
}

/** All machines that may hold a member: wanted, no longer wanted, or on a silent host. */
function controlPlanes({ desired, observed }: WorkContext): { machine: string; address: string }[] {
  const wanted = desired.machines.map(({ machine: { name, role }, address }) => ({ name, role, address }))
  const away = desired.away.map(({ machine: { name, role, address } }) => ({ name, role, address }))
  const names = new Set([...wanted, ...away].map(({ name }) => name))
  const surplus = observed.machines
    .filter(({ name }) => !names.has(name))
    .map(({ name, mark, address }) => ({ name, role: mark.role, address }))
  return [...wanted, ...away, ...surplus]
    .filter(({ role }) => role === 'controlplane')
    .flatMap(({ name, address }) => {
      const known = address ?? findSeen(observed, name)?.address
      return known === undefined ? [] : [{ machine: name, address: known }]
    })
}

async function findVoter(node: TalosNode, signal: AbortSignal): Promise<string | undefined> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(5000)])
  const status = await node.etcd.status(patience).catch(() => undefined)
  const isVoting = status !== undefined && !/^0*$/.test(status.leader) && !status.isLearner
  return isVoting ? status.member : undefined
}

/** Whether that member itself votes, at the address that it advertises: it may run on a machine that is not ours. */
export async function votesNow({ id, hostname, peerUrls }: EtcdMember, context: WorkContext): Promise<boolean> {
  const address = peerUrls.flatMap((url) => hostOf(url) ?? []).at(0)
  if (address === undefined) return false
  return (await findVoter(context.talos.node({ machine: hostname, address }), context.signal)) === id
}

/** The host of a peer URL. */
export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined
}
