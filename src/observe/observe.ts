import { setMaxListeners } from 'node:events'
import { askFirewall, askRules, concernsRules } from '../capabilities/firewall/ask-firewall.js'
import { askHostFirewall } from '../capabilities/firewall/hosts/ask-host-firewall.js'
import { clusterMarkId } from '../cluster/identity.js'
import { type Machine, MiB } from '../cluster/machine.js'
import { mapLimit } from '../cluster/map-limit.js'
import { type RotationState, rotationNotesOf } from '../cluster/rotation.js'
import { unseen } from '../cluster/seen.js'
import type { Inventory } from '../inventory/inventory.js'
import { homeOf } from '../ownership/home.js'
import { createSealer, type Sealer } from '../ownership/seal.js'
import { disksOnStorages } from '../proxmox/model/disks-on-storages.js'
import { defaultCores, defaultMemoryMiB } from '../proxmox/model/option-text.js'
import type { World } from '../world.js'
import { askAddresses, staticAddresses, withOwnNames } from './ask-addresses.js'
import { askAdministration } from './ask-administration.js'
import type { UnreadControlPlane } from './ask-etcd.js'
import { askForeignVms } from './ask-foreign-vms.js'
import { askFreeSpace } from './ask-free-space.js'
import { askHiddenVmids, wantedVmids } from './ask-hidden-vmids.js'
import { askMachines } from './ask-machines.js'
import { askMigrations } from './ask-migrations.js'
import { askNodes } from './ask-nodes.js'
import { askProxmox, type KnownFacts } from './ask-proxmox.js'
import { askReleases } from './ask-releases.js'
import { askStrayVolumes } from './ask-stray-volumes.js'
import { askVolumes, locationsThatMatter, mediaLocations, seedLocations } from './ask-volumes.js'
import { askedMachine, type ObserveScope, questionOf } from './observe-scope.js'
import type { Observed, ObservedMachine, ObservedSecrets, ObservedStorage, UnverifiedVm } from './observed.js'

export interface ObserveOptions {
  readonly isLeaving?: boolean
  readonly isCounting?: boolean
  /** For `ichor access`, whose login may write what tokens may not: everything of ours is queried. */
  readonly isAdministering?: boolean
  /** Not queried again. */
  readonly known?: KnownFacts
  /**
   * The previous observation of this run found every seed, and all steps planned on it are done, so none is left over.
   */
  readonly isTidy?: boolean
}

/**
 * Queries everything in parallel and with few calls, and returns one plain value. Changes nothing. A teardown needs
 * only our objects on Proxmox; capacity needs those of others, even if nothing is created.
 */
export async function observe(
  inventory: Inventory,
  world: World,
  signal: AbortSignal,
  { isLeaving = false, isCounting = false, isAdministering = false, known = {}, isTidy = false }: ObserveOptions = {},
): Promise<Observed> {
  // All queries listen to the signal of the run, so many listeners are not a leak.
  setMaxListeners(0, signal)
  const question = questionOf(inventory)
  const [secrets, proxmox] = await Promise.all([askSecrets(world), askProxmox(question, world, signal, known)])
  const { sealer, ...seenSecrets } = secrets
  const cluster = { id: secrets.clusterId, sealer, sealed: secrets.sealed, isLeaving }
  const { owned, templates, unverified, unreadHosts } = await askMachines(question, proxmox, cluster, world, signal)
  const ours = new Set([...owned, ...templates, ...unverified.filter(mayBeOurs)].map(({ vmid }) => vmid))
  const others = proxmox.guests.filter(({ vmid }) => !ours.has(vmid))
  const clusterId = secrets.clusterId ?? owned[0]?.mark.cluster ?? ''
  const datacenter = await askFirewall(question, { machines: owned, isAdministering }, world, signal)
  const firewall = await askHostFirewall(datacenter, { question, clusterId, others }, world, signal)
  const read = { ...proxmox, ...(firewall === undefined ? {} : { firewall }) }
  const mayAdminister = await askAdministration(question, { machines: owned, proxmox: read }, world, signal)
  const listed = { ...read, unreadHosts, ...(mayAdminister === undefined ? {} : { mayAdminister }) }
  if (isLeaving) {
    const isThere = proxmox.poolExists || owned.length + templates.length > 0
    const locations = isThere ? seedLocations(question, proxmox, owned) : []
    const [contents, strays] = await Promise.all([
      known.contents ?? askVolumes(locations, world, signal),
      askStrayVolumes(owned, proxmox, world, signal),
    ])
    const notAsked = unseen('not queried, because the cluster is being removed')
    return {
      proxmox: { ...listed, contents, ...strays },
      machines: owned,
      templates,
      unverified,
      etcd: notAsked,
      kubernetes: notAsked,
      secrets: seenSecrets,
      taken: [],
    }
  }
  const missing = absent(question, owned, unverified)
  const { evacuate } = inventory.settings.placement
  const isMoving = ({ host, mark }: ObservedMachine) => evacuate.includes(host) || homeOf(mark) !== undefined
  const isCrowding =
    isCounting || missing.length > 0 || owned.some((machine) => isToGrow(machine, question) || isMoving(machine))
  const seen = new Set(proxmox.guests.map(({ vmid }) => vmid))
  const leaving = owned.filter(
    ({ host, mark }) => evacuate.includes(host) || isAwayFromHome(host, homeOf(mark), evacuate),
  )
  const isFilling =
    isCrowding ||
    hasGuestsToMake(inventory, proxmox) ||
    owned.some((machine) => hasDiskToGrow(machine, question)) ||
    proxmox.storages.some(isNearlyFull)
  const [nodes, contents, taken, foreignVms, hidden, stuck, strays, storages] = await Promise.all([
    askNodes(
      owned,
      unreadControlPlanes(question, missing, unverified, unreadHosts),
      question,
      world,
      signal,
      seenSecrets.recovery?.gone,
    ),
    known.contents ??
      askVolumes(
        [
          ...locationsThatMatter(question, proxmox, { machines: owned, missing, isTidy }),
          ...mediaLocations(question, proxmox, missing.length > 0),
        ],
        world,
        signal,
      ),
    askAddresses(staticAddresses(missing), world, signal),
    askForeignVms(isCrowding ? others : [], world, signal),
    known.hidden ?? askHiddenVmids(wantedVmids(question, missing, proxmox.hosts.length), seen, world, signal),
    askMigrations(leaving, world, signal),
    askStrayVolumes(owned.filter(isMoving), proxmox, world, signal),
    isFilling ? askFreeSpace(proxmox, question, world, signal) : proxmox.storages,
  ])
  const ruled = concernsRules(question, owned)
    ? await mapLimit(nodes.machines, 8, (machine) => askRules(machine, world, signal))
    : nodes.machines
  const vip = unverified.some(mayBeOurs) ? undefined : newVip(inventory, nodes.machines)
  const answering = vip === undefined ? [] : await askAddresses([vip], world, signal)
  const releases = await askReleases(inventory, nodes.machines, world, signal)
  const starting = new Set(foreignVms.onboot)
  const guests = proxmox.guests.map((guest) => (starting.has(guest.vmid) ? { ...guest, onboot: true } : guest))
  return {
    proxmox: { ...listed, guests, storages, hidden, contents, ...strays },
    ...nodes,
    machines: ruled.map((machine) => withBlockers(machine, stuck)),
    templates,
    unverified: [...unverified, ...foreignVms.holders(question.machines)],
    secrets: seenSecrets,
    ...(releases === undefined ? {} : { releases }),
    taken: withOwnNames([...foreignVms.addresses, ...taken, ...answering], nodes.machines),
  }
}

/** Its host was evacuated and no longer is. */
function isAwayFromHome(host: string, home: string | undefined, evacuate: readonly string[]): boolean {
  return home !== undefined && home !== host && !evacuate.includes(home)
}

function withBlockers(machine: ObservedMachine, stuck: ReadonlyMap<string, readonly string[]>): ObservedMachine {
  const blockers = stuck.get(machine.name) ?? []
  return blockers.length === 0 ? machine : { ...machine, stuck: blockers }
}

/** It has the addresses of its machine. The plan explains what is wrong with it. */
function mayBeOurs({ because, holds }: UnverifiedVm): boolean {
  return because !== 'foreign' && (because !== 'other-cluster' || holds !== undefined)
}

/** It will need more of its host, so the other guests on it matter. */
function isToGrow({ name, options }: ObservedMachine, question: ObserveScope): boolean {
  const wanted = askedMachine(question, name)
  if (wanted === undefined) return false
  const { cores = defaultCores, memory = defaultMemoryMiB } = options
  return wanted.cpu > Number(cores) || wanted.memory / MiB > Number(memory)
}

/** A disk will be added or need more of its storage. */
function hasDiskToGrow({ name, options }: ObservedMachine, question: ObserveScope): boolean {
  const wanted = askedMachine(question, name)
  if (wanted === undefined) return false
  const largestFirst = (sizes: number[]) => sizes.toSorted((one, other) => other - one)
  const own = largestFirst(disksOnStorages(options).map(({ size }) => size))
  return largestFirst([wanted.disk, ...wanted.disks.map(({ size }) => size)]).some((size, i) => size > (own[i] ?? 0))
}

/** What is left on it will be listed. */
function isNearlyFull({ total, used }: ObservedStorage): boolean {
  return used > total * 0.8
}

function hasGuestsToMake({ guests }: Inventory, proxmox: Pick<Observed['proxmox'], 'guests'>): boolean {
  const there = new Set(proxmox.guests.flatMap(({ name, vmid }) => [name, vmid]))
  return guests.some(({ create, name, vmid }) => create && !there.has(name) && !there.has(vmid))
}

/** A VIP that no machine has in its config must still be free; otherwise our machines respond on it. */
function newVip({ settings }: Inventory, machines: readonly ObservedMachine[]): string | undefined {
  const { vip } = settings.network
  const configs = machines.flatMap(({ talos, mark }) =>
    talos.reach === 'secured' && mark.role === 'controlplane' && talos.config.seen ? [talos.config.value] : [],
  )
  const isUnknown = machines.length > 0 && configs.length === 0
  if (vip === undefined || isUnknown) return undefined
  return configs.some((config) => config.split(/[\s"'/,[\]]+/).includes(vip)) ? undefined : vip
}

async function askSecrets({ secrets }: World): Promise<ObservedSecrets & { readonly sealer?: Sealer }> {
  const file = await secrets.find()
  if (file === undefined) return { present: false, bootstrapped: false, sealed: false }
  const { memory, bundle } = file
  return {
    present: true,
    location: secrets.location,
    bootstrapped: memory.bootstrapped,
    clusterId: clusterMarkId(bundle.cluster.id),
    sealed: memory.sealed ?? false,
    ...(memory.recovery === undefined ? {} : { recovery: memory.recovery }),
    ...(memory.rotation === undefined ? {} : { rotation: stateOf(memory.rotation) }),
    sealer: createSealer(bundle.cluster),
  }
}

/** Its phase, without the keys. */
function stateOf(rotation: RotationState): RotationState {
  const { what, phase, run } = rotation
  return { what, phase, run, ...rotationNotesOf(rotation) }
}

/** Control planes whose VM may be on a silent host, so that etcd may be there. */
function unreadControlPlanes(
  { machines }: ObserveScope,
  missing: readonly Machine[],
  unverified: readonly UnverifiedVm[],
  unreadHosts: Observed['proxmox']['unreadHosts'],
): UnreadControlPlane[] {
  const [unread] = unreadHosts
  const away = new Map(unverified.filter(({ because }) => because === 'away').map((vm) => [vm.holds, vm]))
  const absentees = new Set(missing.map(({ name }) => name))
  return machines.flatMap(({ name, role }) => {
    if (role !== 'controlplane') return []
    const holder = away.get(name)
    if (holder !== undefined) return [{ name, why: `its host ${holder.host} does not answer` }]
    const isMissing = unread !== undefined && absentees.has(name)
    return isMissing ? [{ name, why: `it may be on ${unread.host}: ${unread.why}` }] : []
  })
}

/** Machines that do not exist yet. A machine on a silent host may exist and does not count. */
function absent(
  { machines }: ObserveScope,
  owned: readonly ObservedMachine[],
  unverified: readonly UnverifiedVm[],
): Machine[] {
  const away = unverified.flatMap(({ because, holds }) => (because === 'away' && holds !== undefined ? [holds] : []))
  const known = new Set([...owned.map(({ name }) => name), ...away])
  return machines.filter(({ name }) => !known.has(name))
}
