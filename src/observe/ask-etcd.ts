import { mayHaveRun } from '../cluster/may-have-run.js'
import { type Seen, seen, unseen } from '../cluster/seen.js'
import { reasonOf } from '../errors.js'
import { isWithoutEtcd, localMembers } from '../health/etcd-absence.js'
import type { EtcdMember, EtcdStatus, TalosNode } from '../talos/api/port.js'
import type { World } from '../world.js'
import type { ObservedEtcd, ObservedMachine } from './observed.js'

const patienceMs = 5000

interface Asked {
  readonly machine: ObservedMachine
  readonly node: TalosNode
  readonly status: Seen<EtcdStatus>
}

/** A control plane whose VM exists and could not be read. */
export interface UnreadControlPlane {
  readonly name: string
  readonly why: string
}

/**
 * The members as one of them reports them, and which are healthy. etcd counts as absent only if every existing control
 * plane responds or cannot hold it: not seen is not absent.
 */
export async function askEtcd(
  controlPlanes: readonly ObservedMachine[],
  unread: readonly UnreadControlPlane[],
  { talos }: World,
  signal: AbortSignal,
): Promise<Seen<ObservedEtcd | undefined>> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const asked = await Promise.all(
    controlPlanes.filter(isReachable).map(async (machine): Promise<Asked> => {
      const node = talos.node({ machine: machine.name, address: machine.address ?? '' })
      return { machine, node, status: await askStatus(machine, node, patience) }
    }),
  )
  const voters = asked.filter(({ status }) => status.seen && isVoting(status.value))
  const members = await firstMembers([...voters, ...asked.filter((one) => !voters.includes(one))], signal)
  signal.throwIfAborted()
  if (members.seen && members.value.length > 0) return seen(await etcdOf(members.value, asked, talos, patience))
  const silent = controlPlanes.find((machine) => mayHoldEtcd(machine))
  if (silent !== undefined) return unseen(`${silent.name} does not answer`)
  const [first] = unread
  if (first !== undefined) return unseen(`${first.name}: ${first.why}`)
  return members.seen ? seen(undefined) : unseen(members.why)
}

/** Why the etcd of a control plane does not run, as Talos reports it. */
export async function askEtcdProblem(
  machine: ObservedMachine,
  etcd: Seen<ObservedEtcd | undefined>,
  { talos }: World,
  signal: AbortSignal,
): Promise<ObservedMachine> {
  const isMember = etcd.seen && Object.values(etcd.value?.owners ?? {}).includes(machine.name)
  if (machine.talos.reach !== 'secured' || machine.mark.role !== 'controlplane' || isMember) return machine
  if (etcd.seen && etcd.value === undefined) return machine
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const node = talos.node({ machine: machine.name, address: machine.address ?? '' })
  const services = await node.services(patience).catch(() => [])
  const service = services.find(({ id }) => id === 'etcd')
  if (service === undefined) return machine
  const { message: etcdProblem, state: etcdState, ended } = service
  const why = ended === undefined ? {} : { etcdEnd: ended }
  return { ...machine, talos: { ...machine.talos, etcdProblem, etcdState, ...why } }
}

function isReachable({ talos, address }: ObservedMachine): boolean {
  return talos.reach === 'secured' && address !== undefined
}

/** It ran, or may have run, and does not respond. */
function mayHoldEtcd(machine: ObservedMachine): boolean {
  const { reach } = machine.talos
  return reach !== 'secured' && reach !== 'maintenance' && mayHaveRun(machine)
}

/** Until etcd is started, calls to it hang; a node that still boots may be in that state. */
async function askStatus({ talos }: ObservedMachine, node: TalosNode, signal: AbortSignal): Promise<Seen<EtcdStatus>> {
  const isBooting = talos.reach === 'secured' && talos.stage !== 'running'
  const isWaiting = isBooting && (await isWithoutEtcd(node, signal).catch(() => false))
  return isWaiting ? unseen('etcd waits for bootstrap or to join') : statusOf(node, signal)
}

async function statusOf(node: TalosNode, signal: AbortSignal): Promise<Seen<EtcdStatus>> {
  return node.etcd.status(signal).then(seen, (thrown) => unseen(reasonOf(thrown)))
}

function isVoting({ leader, isLearner }: EtcdStatus): boolean {
  return !/^0*$/.test(leader) && !isLearner
}

/** As a voter reports them. Empty only if every queried node reports none. */
async function firstMembers(asked: readonly Asked[], signal: AbortSignal): Promise<Seen<readonly EtcdMember[]>> {
  let problem: string | undefined
  for (const { node, machine, status } of asked) {
    // A member that did not answer may have used up the patience.
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    try {
      const members = await (status.seen ? node.etcd.members({ local: true }, patience) : localMembers(node, patience))
      if (members.length > 0) return seen(members)
    } catch (thrown) {
      problem ??= `${machine.name}: ${reasonOf(thrown)}`
    }
  }
  return problem === undefined ? seen([]) : unseen(problem)
}

async function etcdOf(
  members: readonly EtcdMember[],
  asked: readonly Asked[],
  talos: World['talos'],
  signal: AbortSignal,
): Promise<ObservedEtcd> {
  const known = asked.flatMap(({ machine, status }) =>
    status.seen ? [{ owner: machine.name, status: status.value }] : [],
  )
  const reported = new Set(known.map(({ status }) => status.member))
  const names = new Set(asked.map(({ machine }) => machine.name))
  const others = await Promise.all(
    members
      .filter(({ id, hostname }) => !reported.has(id) && !names.has(hostname))
      .map((member) => askStrayMember(member, talos, signal)),
  )
  const all = [...known, ...others.flat()]
  const healthy = all.filter(({ status }) => isVoting(status)).map(({ status }) => status)
  const leader = healthy[0]?.leader
  return {
    members,
    healthy: healthy.map(({ member }) => member),
    owners: Object.fromEntries(all.map(({ owner, status }) => [status.member, owner])),
    ...(leader === undefined ? {} : { leader }),
  }
}

/** A member without a machine of ours may still run, for example if its VM was moved out of our view. */
async function askStrayMember(
  { id, hostname, peerUrls }: EtcdMember,
  talos: World['talos'],
  signal: AbortSignal,
): Promise<{ owner: string; status: EtcdStatus }[]> {
  const [url] = peerUrls.filter((one) => URL.canParse(one))
  if (url === undefined) return []
  const address = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const status = await statusOf(talos.node({ machine: hostname, address }), signal)
  return status.seen && status.value.member === id ? [{ owner: hostname, status: status.value }] : []
}
