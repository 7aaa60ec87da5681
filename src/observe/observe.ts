import { setMaxListeners } from 'node:events'
import { clusterMarkId } from '../cluster/identity.js'
import type { Machine } from '../cluster/machine.js'
import type { Inventory } from '../inventory/inventory.js'
import type { World } from '../world.js'
import { aFewAtOnce } from './a-few-at-once.js'
import { askAddresses } from './ask-addresses.js'
import { askKubernetes } from './ask-kubernetes.js'
import { askMachines } from './ask-machines.js'
import { askProxmox } from './ask-proxmox.js'
import { askEtcd, askTalos } from './ask-talos.js'
import { askVolumes, shelvesOfSeeds, shelvesThatMatter } from './ask-volumes.js'
import type { Observed, ObservedMachine, ObservedSecrets } from './observed.js'
import { type Question, questionOf } from './question.js'

/** Nodes that are asked at a time: a connection to each costs both ends some work. */
const nodesAtOnce = 48

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
  const [machines, volumes, taken] = await Promise.all([
    aFewAtOnce(owned, nodesAtOnce, (machine) => askTalos(machine, question, world, signal)),
    askVolumes(shelvesThatMatter(question, proxmox, owned), world, signal),
    askAddresses(
      { machines: absent(question, owned), vip: owned.length === 0 ? inventory.settings.network.vip : undefined },
      proxmox.guests.filter(({ vmid }) => !ours.has(vmid)),
      world,
      signal,
    ),
  ])
  const controlPlanes = machines.filter((machine) => isControlPlane(machine, question))
  const [etcd, kubernetes] = await Promise.all([
    askEtcd(controlPlanes, world, signal),
    askKubernetes(controlPlanes, world, signal),
  ])
  return {
    proxmox: { ...proxmox, volumes },
    machines: machines.map((machine) => withNode(machine, kubernetes)),
    templates,
    suspects,
    secrets,
    taken,
    ...(etcd === undefined ? {} : { etcd }),
    ...(kubernetes === undefined ? {} : { kubernetes }),
  }
}

async function askSecrets({ secrets }: World): Promise<ObservedSecrets> {
  const file = await secrets.find()
  if (file === undefined) return { present: false, bootstrapped: false }
  return { present: true, bootstrapped: file.memory.bootstrapped, clusterId: clusterMarkId(file.bundle.cluster.id) }
}

function isControlPlane({ name, mark }: ObservedMachine, { machines }: Question): boolean {
  const wanted = machines.find((machine) => machine.name === name)
  return (wanted?.role ?? mark.role) === 'controlplane'
}

function absent({ machines }: Question, owned: readonly ObservedMachine[]): Machine[] {
  const names = new Set(owned.map(({ name }) => name))
  return machines.filter(({ name }) => !names.has(name))
}

/** Nodes are matched by system UUID, not by name. */
function withNode(machine: ObservedMachine, kubernetes: Observed['kubernetes']): ObservedMachine {
  const node = kubernetes?.nodes.find(({ systemUuid }) => systemUuid.toLowerCase() === machine.mark.uuid)
  return node === undefined ? machine : { ...machine, node }
}
