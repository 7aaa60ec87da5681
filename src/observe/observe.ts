import { setMaxListeners } from 'node:events'
import { clusterMarkId } from '../cluster/identity.js'
import { type Machine, MiB } from '../cluster/machine.js'
import type { Inventory } from '../inventory/inventory.js'
import type { World } from '../world.js'
import { askAddresses, staticAddresses, withOwnNames } from './ask-addresses.js'
import { askForeignVms } from './ask-foreign-vms.js'
import { askHiddenVmids, wantedVmids } from './ask-hidden-vmids.js'
import { askMachines } from './ask-machines.js'
import { askNodes } from './ask-nodes.js'
import { askProxmox } from './ask-proxmox.js'
import { askVolumes, locationsThatMatter, seedLocations } from './ask-volumes.js'
import type { Observed, ObservedMachine, ObservedSecrets, UnverifiedVm } from './observed.js'
import { type Question, questionOf } from './question.js'

/**
 * Asks everything, in parallel and with few calls, and gives one plain value. Nothing is changed. Who is leaving only needs
 * to know what is his on Proxmox; who counts what is left needs to know what others keep, even if nothing is to be made.
 */
export async function observe(
  inventory: Inventory,
  world: World,
  signal: AbortSignal,
  { isLeaving = false, isCounting = false }: { isLeaving?: boolean; isCounting?: boolean } = {},
): Promise<Observed> {
  // Every question listens to the one signal of the run: many are no leak.
  setMaxListeners(0, signal)
  const question = questionOf(inventory)
  const [secrets, proxmox] = await Promise.all([askSecrets(world), askProxmox(question, world, signal)])
  const { owned, templates, unverified } = await askMachines(
    question,
    proxmox,
    { id: secrets.clusterId, isLeaving },
    world,
    signal,
  )
  if (isLeaving) {
    const isThere = proxmox.poolExists || owned.length + templates.length > 0
    const volumes = await askVolumes(isThere ? seedLocations(question, proxmox, owned) : [], world, signal)
    return { proxmox: { ...proxmox, volumes }, machines: owned, templates, unverified, secrets, taken: [] }
  }
  const own = new Set([...owned, ...templates, ...unverified.filter(mayBeOurs)].map(({ vmid }) => vmid))
  const missing = absent(question, owned, unverified)
  const isCrowding = isCounting || missing.length > 0 || owned.some((machine) => isToGrow(machine, question))
  const seen = new Set(proxmox.guests.map(({ vmid }) => vmid))
  const [nodes, volumes, taken, foreignVms, hidden] = await Promise.all([
    askNodes(owned, question, world, signal),
    askVolumes(locationsThatMatter(question, proxmox, { machines: owned, missing }), world, signal),
    askAddresses(staticAddresses(missing), world, signal),
    askForeignVms(isCrowding ? proxmox.guests.filter(({ vmid }) => !own.has(vmid)) : [], world, signal),
    askHiddenVmids(wantedVmids(question, missing, proxmox.hosts.length), seen, world, signal),
  ])
  const vip = unverified.some(mayBeOurs) ? undefined : newVip(inventory, nodes.machines)
  const answering = vip === undefined ? [] : await askAddresses([vip], world, signal)
  const starting = new Set(foreignVms.onboot)
  const guests = proxmox.guests.map((guest) => (starting.has(guest.vmid) ? { ...guest, onboot: true } : guest))
  return {
    proxmox: { ...proxmox, guests, hidden, volumes },
    ...nodes,
    templates,
    unverified,
    secrets,
    taken: withOwnNames([...foreignVms.addresses, ...taken, ...answering], nodes.machines),
  }
}

/** It has the addresses of its machine: what is wrong with it is for the plan to say. */
function mayBeOurs({ because }: UnverifiedVm): boolean {
  return because !== 'foreign' && because !== 'other-cluster'
}

/** It will take more of its host than it does, so that it matters who else lives there. */
function isToGrow({ name, options }: ObservedMachine, { machines }: Question): boolean {
  const wanted = machines.find((machine) => machine.name === name)
  if (wanted === undefined) return false
  return wanted.cpu > Number(options.cores ?? 1) || wanted.memory / MiB > Number(options.memory ?? 512)
}

/** A VIP that no machine has in its config must still be free; one that they have answers by itself. */
function newVip({ settings }: Inventory, machines: readonly ObservedMachine[]): string | undefined {
  const { vip } = settings.network
  const configs = machines.flatMap(({ talos, mark }) =>
    talos.reach === 'secured' && mark.role === 'controlplane' ? [talos.config] : [],
  )
  const isUnknown = machines.length > 0 && configs.length === 0
  if (vip === undefined || isUnknown) return undefined
  return configs.some((config) => config.split(/[\s"'/,[\]]+/).includes(vip)) ? undefined : vip
}

async function askSecrets({ secrets }: World): Promise<ObservedSecrets> {
  const file = await secrets.find()
  if (file === undefined) return { present: false, bootstrapped: false }
  return { present: true, bootstrapped: file.memory.bootstrapped, clusterId: clusterMarkId(file.bundle.cluster.id) }
}

/** Those that are yet to be made. One on a host that does not answer is there, for all that anybody knows. */
function absent(
  { machines }: Question,
  owned: readonly ObservedMachine[],
  unverified: readonly UnverifiedVm[],
): Machine[] {
  const away = unverified.flatMap(({ because, holds }) => (because === 'away' && holds !== undefined ? [holds] : []))
  const known = new Set([...owned.map(({ name }) => name), ...away])
  return machines.filter(({ name }) => !known.has(name))
}
