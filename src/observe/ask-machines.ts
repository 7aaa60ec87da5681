import type { Machine } from '../cluster/machine.js'
import { isInPool } from '../cluster/pool.js'
import { type Candidate, findCandidates } from '../ownership/candidates.js'
import { heldMachine } from '../ownership/identity-of-vm.js'
import { readMark } from '../ownership/mark.js'
import { type Authority, type Ownership, proveOwnership } from '../ownership/proof.js'
import type { Sealer } from '../ownership/seal.js'
import type { GuestResource, SeenOptions } from '../proxmox/client/port.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { World } from '../world.js'
import { adoptedMachine, findDoubt, markToGive } from './ask-adoptable.js'
import type { ObserveScope } from './observe-scope.js'
import type { ObservedMachine, ObservedProxmox, ObservedTemplate, UnverifiedVm } from './observed.js'
import { readCandidates } from './read-candidates.js'
import { judgeUnread } from './unread.js'

/** What is known about the cluster before its VMs are read. */
export interface KnownCluster {
  /** As stored in marks; `undefined` without secrets. */
  readonly id: string | undefined
  readonly sealer: Sealer | undefined
  readonly sealed: boolean
  readonly isLeaving: boolean
}

interface Found {
  readonly owned: ObservedMachine[]
  readonly templates: ObservedTemplate[]
  readonly unverified: UnverifiedVm[]
  readonly unreadHosts: ObservedProxmox['unreadHosts']
}

/** Reads every VM that could be ours and classifies it: proven, unverified, or unrelated. */
export async function askMachines(
  question: ObserveScope,
  proxmox: Pick<ObservedProxmox, 'guests' | 'hosts' | 'intent' | 'unfinished'>,
  cluster: KnownCluster,
  world: World,
  signal: AbortSignal,
): Promise<Found> {
  const candidates = findCandidates(proxmox, signsOf(question, proxmox.intent))
  const { read, unread, unreadHosts } = await readCandidates(candidates, proxmox.hosts, world, signal)
  const id = cluster.id ?? (cluster.isLeaving ? idFromMarks(read) : undefined)
  const authority = id === undefined ? undefined : authorityFor(id, cluster, proxmox)
  const owned: Promise<ObservedMachine>[] = []
  const templates: ObservedTemplate[] = []
  const unverified: UnverifiedVm[] = []
  const claims: Promise<ObservedMachine | UnverifiedVm>[] = []
  for (const { candidate, config } of read) {
    const { guest } = candidate
    const proof = authority === undefined ? undefined : proveOwnership(config, guest, authority)
    const isUnmarked = proof?.owned === false && proof.because === 'no-mark' && !cluster.isLeaving
    const adopted = isUnmarked ? adoptedMachine(guest, config, question.machines) : undefined
    if (adopted !== undefined && authority !== undefined)
      claims.push(adoptable(adopted, guest, config, authority.cluster, world, signal))
    else if (!proof?.owned) unverified.push(unverifiedVm(candidate, config, proof, question))
    else if (!isInPool(guest.pool, question.pool)) unverified.push(inOtherPool(guest, proof.mark.node, question))
    else if (proof.mark.more?.kind === 'template') templates.push(templateFrom(guest, config, proof))
    else owned.push(ownedMachine(guest, config, proof, world, signal))
  }
  const adopted = await Promise.all(claims)
  const doubtful = adopted.filter((vm): vm is UnverifiedVm => 'because' in vm)
  const proven = adopted.filter((vm): vm is ObservedMachine => !('because' in vm))
  const { unique, twins } = withoutDuplicates([...(await Promise.all(owned)), ...proven])
  const away = judgeUnread(unread, question, new Set(unique.map(({ name }) => name)))
  return { owned: unique, templates, unverified: [...unverified, ...doubtful, ...twins, ...away], unreadHosts }
}

function authorityFor(
  id: string,
  { sealer, sealed }: KnownCluster,
  { intent, unfinished = [] }: Pick<ObservedProxmox, 'intent' | 'unfinished'>,
): Authority {
  return {
    cluster: id,
    ...(sealer === undefined ? {} : { sealer }),
    requiresSeal: sealed,
    intent: new Set(intent),
    unfinished: new Set(unfinished),
  }
}

/** `destroy` needs no secrets: the machines in the cluster's pool carry its ID. */
function idFromMarks(read: readonly { candidate: Candidate; config: SeenOptions }[]): string | undefined {
  const pooled = read.filter(({ candidate }) => candidate.because.includes('pool'))
  const ids = new Set(pooled.flatMap(({ config }) => readMark(config.options.description)?.mark.cluster ?? []))
  return ids.size === 1 ? [...ids][0] : undefined
}

function signsOf({ tag, pool, machines, vmids }: ObserveScope, intent: readonly number[]) {
  return { tags: [tag], pool, names: machines.map(({ name }) => name), vmids, intent }
}

/** The VM of an adopted machine without a mark: it is not touched before its node has shown that it is that machine. */
async function adoptable(
  machine: Machine,
  guest: GuestResource,
  config: SeenOptions,
  cluster: string,
  world: World,
  signal: AbortSignal,
): Promise<ObservedMachine | UnverifiedVm> {
  const { host, vmid } = guest
  const doubt = await findDoubt(machine, guest, world, signal)
  if (doubt !== undefined) {
    const text = `VM ${vmid} on ${host} is not taken over as ${machine.name} yet: ${doubt}.`
    return { host, vmid, because: 'away', holds: machine.name, doubt, text }
  }
  const mark = markToGive(machine, cluster, vmid)
  const seen = await ownedMachine(guest, config, { owned: true, mark, isSealed: true }, world, signal)
  return { ...seen, isToAdopt: true }
}

async function ownedMachine(
  guest: GuestResource,
  { options, pending, running }: SeenOptions,
  { mark, isSealed }: Extract<Ownership, { owned: true }>,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<ObservedMachine> {
  const status = await statusOf(guest, proxmox, signal)
  return {
    name: mark.node,
    host: guest.host,
    vmid: guest.vmid,
    mark,
    isSealed,
    options,
    status,
    ...(options.lock === undefined ? {} : { lock: options.lock }),
    ...(guest.pool === undefined ? {} : { pool: guest.pool }),
    ...(status === 'running' ? { pending, running } : { pending: [] }),
    talos: { reach: 'off' },
  }
}

function templateFrom(
  { host, vmid }: GuestResource,
  { options }: SeenOptions,
  { mark, isSealed }: Extract<Ownership, { owned: true }>,
): ObservedTemplate {
  const isReady = options.template === '1' && mark.stage === 'made'
  const isProtected = options.protection === '1' ? { isProtected: true as const } : {}
  return { name: mark.node, host, vmid, mark, isSealed, isReady, ...isProtected }
}

/** The statistics lag by seconds: a VM that they do not list as running is queried directly. */
async function statusOf(
  guest: GuestResource,
  proxmox: World['proxmox'],
  signal: AbortSignal,
): Promise<'running' | 'stopped'> {
  if (guest.status === 'running') return guest.status
  const now = await proxmox.machines.findStatus(guest, signal).catch((thrown: unknown) => {
    if (isProxmoxError(thrown, 'host-down')) return undefined
    throw thrown
  })
  return now?.status ?? 'stopped'
}

/** Two VMs with one identity are a forgery or an accident: neither is changed. */
function withoutDuplicates(machines: readonly ObservedMachine[]): { unique: ObservedMachine[]; twins: UnverifiedVm[] } {
  const counts = new Map<string, number>()
  for (const { mark } of machines) counts.set(mark.uuid, (counts.get(mark.uuid) ?? 0) + 1)
  const isTwin = ({ mark }: ObservedMachine) => (counts.get(mark.uuid) ?? 0) > 1
  return {
    unique: machines.filter((machine) => !isTwin(machine)),
    twins: machines.filter(isTwin).map(({ host, vmid, name }) => ({
      host,
      vmid,
      name,
      because: 'mark-lost',
      holds: name,
      text: `VM ${vmid} on ${host} and another VM are both ${name}: one of them is a copy.`,
    })),
  }
}

function inOtherPool(guest: GuestResource, node: string, { pool }: ObserveScope): UnverifiedVm {
  const where = guest.pool === undefined ? 'in no pool' : `in the pool ${guest.pool}`
  return {
    host: guest.host,
    vmid: guest.vmid,
    ...(guest.name === undefined ? {} : { name: guest.name }),
    ...(guest.pool === undefined ? {} : { pool: guest.pool }),
    because: 'other-pool',
    holds: node,
    text: `VM ${guest.vmid} on ${guest.host} is marked as ${node}, and is ${where} in place of ${pool}.`,
  }
}

function unverifiedVm(
  { guest, because }: Candidate,
  config: SeenOptions,
  proof: Ownership | undefined,
  question: ObserveScope,
): UnverifiedVm {
  const held = heldMachine(config, question.machines)
  const unverified = (kind: UnverifiedVm['because'], text: string): UnverifiedVm => ({
    host: guest.host,
    vmid: guest.vmid,
    ...(guest.name === undefined ? {} : { name: guest.name }),
    because: kind,
    ...(guest.status === 'stopped' ? { isOff: true } : {}),
    ...(held === undefined ? {} : { holds: held.name }),
    text,
  })
  const mark = readMark(config.options.description)?.mark
  if (proof === undefined && mark !== undefined && because.some((sign) => sign === 'pool' || sign === 'tag')) {
    return unverified(
      'no-secrets',
      `VM ${guest.vmid} on ${guest.host} is ${mark.node} of this cluster, but the secrets are missing.`,
    )
  }
  if (proof !== undefined && !proof.owned && mark !== undefined) return unverified(kindOf(proof, held), proof.text)
  if (held !== undefined) return { ...unverified('mark-lost', lostMark(guest, held)), isUnmarked: true }
  if (config.options.lock === 'create' || config.options.lock === 'clone') return unverified('stub', stubText(guest))
  return unverified('foreign', foreignText(guest, because))
}

function foreignText(
  { host, vmid, name = 'without a name', status }: GuestResource,
  because: Candidate['because'],
): string {
  const vm = `VM ${vmid} on ${host} (${name})`
  if (!because.some((sign) => sign === 'pool' || sign === 'tag'))
    return `${vm} does not belong to this cluster and is not changed.`
  const text = `${vm} has the pool or tag of this cluster but no ichor mark: it is not changed.`
  return status === 'stopped' ? `${text} If it was a machine of this cluster, delete it in Proxmox.` : text
}

/** A foreign mark on a VM that is not one of our machines is not our concern. */
function kindOf({ because }: Extract<Ownership, { owned: false }>, held: Machine | undefined): UnverifiedVm['because'] {
  if (because === 'copy' || because === 'other-cluster') return because
  return because === 'broken-seal' && held === undefined ? 'foreign' : 'mark-lost'
}

function lostMark(guest: GuestResource, { name }: Machine): string {
  return `VM ${guest.vmid} on ${guest.host} has the UUID or MAC of ${name} but no ichor mark.`
}

function stubText({ host, vmid }: GuestResource): string {
  return `VM ${vmid} on ${host} was left behind by an interrupted create. Only root can remove it: run "qm unlock ${vmid} && qm destroy ${vmid}" on ${host}. Its VMID is skipped.`
}
