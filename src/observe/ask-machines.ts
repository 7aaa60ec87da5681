import type { Machine } from '../cluster/machine.js'
import { type Candidate, findCandidates } from '../ownership/candidates.js'
import { heldPart } from '../ownership/identity-of-vm.js'
import { readMark } from '../ownership/mark.js'
import { type Ownership, proveOwnership } from '../ownership/proof.js'
import type { GuestResource, SeenOptions } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import type { ObservedMachine, ObservedProxmox, ObservedTemplate, UnverifiedVm } from './observed.js'
import type { Question } from './question.js'
import { judgeUnread } from './unread.js'

/** Reads every VM that could be ours and sorts them: proven, unverified, or none of our business. */
export async function askMachines(
  question: Question,
  { guests, hosts }: Pick<ObservedProxmox, 'guests' | 'hosts'>,
  cluster: { readonly id: string | undefined; readonly isLeaving: boolean },
  world: World,
  signal: AbortSignal,
): Promise<{ owned: ObservedMachine[]; templates: ObservedTemplate[]; unverified: UnverifiedVm[] }> {
  const candidates = findCandidates({ guests }, signsOf(question))
  const isOffline = new Set(hosts.filter(({ online }) => !online).map(({ name }) => name))
  const unread = candidates.filter(({ guest }) => isOffline.has(guest.host))
  const read = await Promise.all(
    candidates
      .filter((candidate) => !unread.includes(candidate))
      .map(async (candidate) => ({
        candidate,
        config: await world.proxmox.machines.findOptions(candidate.guest, signal).catch((thrown: unknown) => {
          if (!isHostDown(thrown)) throw thrown
          unread.push(candidate)
          return undefined
        }),
      })),
  )
  const clusterId = cluster.id ?? (cluster.isLeaving ? idFromMarks(read) : undefined)
  const owned: Promise<ObservedMachine>[] = []
  const templates: ObservedTemplate[] = []
  const unverified: UnverifiedVm[] = []
  for (const { candidate, config } of read) {
    if (config === undefined) continue
    const proof = clusterId === undefined ? undefined : proveOwnership(config, candidate.guest, clusterId)
    if (proof?.owned && proof.mark.more?.kind === 'template')
      templates.push(templateFrom(candidate.guest, config, proof.mark))
    else if (proof?.owned) owned.push(ownedMachine(candidate.guest, config, proof.mark, world, signal))
    else unverified.push(...unverifiedVm(candidate, config, proof, question))
  }
  const ours = await Promise.all(owned)
  const away = judgeUnread(unread, question, new Set(ours.map(({ name }) => name)))
  return { owned: ours, templates, unverified: [...unverified, ...away] }
}

/** Proxmox takes a while until it calls a dead host offline. */
function isHostDown(thrown: unknown): boolean {
  return (thrown as { kind?: unknown }).kind === 'host-down'
}

/** `destroy` needs no secrets: the machines in the pool of the cluster tell its id. */
function idFromMarks(read: readonly { candidate: Candidate; config: SeenOptions | undefined }[]): string | undefined {
  const pooled = read.filter(({ candidate }) => candidate.because.includes('pool'))
  const ids = new Set(pooled.flatMap(({ config }) => readMark(config?.options.description)?.cluster ?? []))
  return ids.size === 1 ? [...ids][0] : undefined
}

function signsOf({ tag, pool, machines, vmids }: Question) {
  return {
    tags: [tag],
    pool,
    names: machines.map(({ name }) => name),
    vmids,
    intent: [],
  }
}

async function ownedMachine(
  guest: GuestResource,
  { options, pending, running }: SeenOptions,
  mark: ObservedMachine['mark'],
  { proxmox }: World,
  signal: AbortSignal,
): Promise<ObservedMachine> {
  const status = await statusOf(guest, mark, proxmox, signal)
  return {
    name: mark.node,
    host: guest.host,
    vmid: guest.vmid,
    mark,
    options,
    status,
    ...(guest.lock === undefined ? {} : { lock: guest.lock }),
    ...(guest.pool === undefined ? {} : { pool: guest.pool }),
    ...(status === 'running' ? { pending, running } : { pending: [] }),
    talos: { reach: 'off' },
  }
}

function templateFrom(
  { host, vmid }: GuestResource,
  { options }: SeenOptions,
  mark: ObservedMachine['mark'],
): ObservedTemplate {
  return { name: mark.node, host, vmid, mark, isReady: options.template === '1' && mark.stage === 'made' }
}

/** The statistics lag by seconds: a VM that they do not know yet is asked itself, and so is one that should not be off. */
async function statusOf(
  guest: GuestResource,
  { stage }: ObservedMachine['mark'],
  proxmox: World['proxmox'],
  signal: AbortSignal,
): Promise<'running' | 'stopped'> {
  if (guest.status === 'running' || (guest.status === 'stopped' && stage !== 'made')) return guest.status
  return (await proxmox.machines.findStatus(guest, signal))?.status ?? 'stopped'
}

function unverifiedVm(
  { guest, because }: Candidate,
  config: SeenOptions,
  proof: Ownership | undefined,
  question: Question,
): UnverifiedVm[] {
  const held = question.machines.find(({ identity }) => heldPart(config, identity) !== undefined)
  const unverified = (kind: UnverifiedVm['because'], text: string): UnverifiedVm[] => [
    {
      host: guest.host,
      vmid: guest.vmid,
      ...(guest.name === undefined ? {} : { name: guest.name }),
      because: kind,
      ...(held === undefined ? {} : { holds: held.name }),
      text,
    },
  ]
  const mark = readMark(config.options.description)
  if (proof === undefined && mark !== undefined && because.some((sign) => sign === 'pool' || sign === 'tag')) {
    return unverified(
      'no-secrets',
      `VM ${guest.vmid} on ${guest.host} is ${mark.node} of this cluster, and the secrets are missing.`,
    )
  }
  if (proof !== undefined && !proof.owned && mark !== undefined) {
    return unverified(
      proof.because === 'copy' || proof.because === 'other-cluster' ? proof.because : 'mark-lost',
      proof.text,
    )
  }
  if (held !== undefined) return unverified('mark-lost', lostMark(guest, held))
  if (config.options.lock === 'create' || config.options.lock === 'clone') return unverified('stub', stubText(guest))
  return unverified(
    'foreign',
    `VM ${guest.vmid} on ${guest.host} (${guest.name ?? 'without a name'}) is not ours and is left alone.`,
  )
}

function lostMark(guest: GuestResource, { name }: Machine): string {
  return `VM ${guest.vmid} on ${guest.host} has the UUID or MAC of ${name}, and no mark of ichor.`
}

function stubText({ host, vmid }: GuestResource): string {
  return `VM ${vmid} on ${host} is what a killed create left behind. Only root can remove it: run "qm unlock ${vmid} && qm destroy ${vmid}" on ${host}. Its VMID is skipped.`
}
