import { setMaxListeners } from 'node:events'
import { clusterMarkId } from '../cluster/identity.js'
import type { Machine } from '../cluster/machine.js'
import type { Inventory } from '../inventory/inventory.js'
import type { World } from '../world.js'
import { askAddresses } from './ask-addresses.js'
import { askMachines } from './ask-machines.js'
import { askNodes } from './ask-nodes.js'
import { askProxmox } from './ask-proxmox.js'
import { askVolumes, shelvesOfSeeds, shelvesThatMatter } from './ask-volumes.js'
import type { Observed, ObservedMachine, ObservedSecrets, Suspect } from './observed.js'
import { type Question, questionOf } from './question.js'

/**
 * Asks everything, in parallel and with few calls, and gives one plain value. Nothing is changed. Who is leaving only needs
 * to know what is his on Proxmox.
 */
export async function observe(
  inventory: Inventory,
  world: World,
  signal: AbortSignal,
  { isLeaving = false }: { isLeaving?: boolean } = {},
): Promise<Observed> {
  // Every question listens to the one signal of the run: many are no leak.
  setMaxListeners(0, signal)
  const question = questionOf(inventory)
  const [secrets, proxmox] = await Promise.all([askSecrets(world), askProxmox(question, world, signal)])
  const { owned, templates, suspects } = await askMachines(
    question,
    proxmox,
    { id: secrets.clusterId, isLeaving },
    world,
    signal,
  )
  if (isLeaving) {
    const isThere = proxmox.poolExists || owned.length + templates.length > 0
    const volumes = await askVolumes(isThere ? shelvesOfSeeds(question, proxmox, owned) : [], world, signal)
    return { proxmox: { ...proxmox, volumes }, machines: owned, templates, suspects, secrets, taken: [] }
  }
  const ours = new Set([...owned, ...templates].map(({ vmid }) => vmid))
  const missing = absent(question, owned, suspects)
  const [nodes, volumes, taken] = await Promise.all([
    askNodes(owned, question, world, signal),
    askVolumes(shelvesThatMatter(question, proxmox, { machines: owned, missing }), world, signal),
    askAddresses(
      { machines: missing, vip: owned.length === 0 ? inventory.settings.network.vip : undefined },
      proxmox.guests.filter(({ vmid }) => !ours.has(vmid)),
      world,
      signal,
    ),
  ])
  return { proxmox: { ...proxmox, volumes }, ...nodes, templates, suspects, secrets, taken }
}

async function askSecrets({ secrets }: World): Promise<ObservedSecrets> {
  const file = await secrets.find()
  if (file === undefined) return { present: false, bootstrapped: false }
  return { present: true, bootstrapped: file.memory.bootstrapped, clusterId: clusterMarkId(file.bundle.cluster.id) }
}

/** Those that are yet to be made. One on a host that does not answer is there, for all that anybody knows. */
function absent({ machines }: Question, owned: readonly ObservedMachine[], suspects: readonly Suspect[]): Machine[] {
  const away = suspects.flatMap(({ because, holds }) => (because === 'away' && holds !== undefined ? [holds] : []))
  const known = new Set([...owned.map(({ name }) => name), ...away])
  return machines.filter(({ name }) => !known.has(name))
}
