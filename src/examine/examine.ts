import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'
import type { World } from '../world.js'
import { ask } from './ask.js'
import { examineHosts } from './examine-hosts.js'
import { examineKubernetes } from './examine-kubernetes.js'
import { examineLease } from './examine-lease.js'
import { examineAgents, examineMachines } from './examine-machines.js'
import type { Examined } from './examined.js'

/** What does not answer within this time counts as not seen. */
const patienceMs = 10_000

/** Queries what only a doctor wants to know, in parallel. Changes nothing. */
export async function examine(
  inventory: Inventory,
  observed: Observed,
  world: World,
  signal: AbortSignal,
): Promise<Examined> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const { definitions } = world.proxmox.storage
  const [hosts, load, storages, lease, ha, agents, machines, kubernetes] = await Promise.all([
    examineHosts(observed, world, patience),
    ask(world.proxmox.cluster.load(patience), patience),
    ask(definitions(patience), patience),
    ask(examineLease(inventory, world, patience), patience),
    examineHighAvailability(inventory, observed, world, patience),
    examineAgents(observed, world, patience),
    examineMachines(observed, world, patience),
    examineKubernetes(observed, world, patience),
  ])
  signal.throwIfAborted()
  return {
    hosts,
    load,
    storages,
    lease,
    ...(ha === undefined ? {} : { ha }),
    agents,
    machines,
    ...(kubernetes === undefined ? {} : { kubernetes: { ...kubernetes, now: nowIn(machines, world.clock.now()) } }),
  }
}

async function examineHighAvailability(
  { settings }: Inventory,
  { proxmox: { guests } }: Observed,
  { proxmox }: World,
  patience: AbortSignal,
): Promise<Examined['ha']> {
  const isUsed = guests.some(({ pool, ha }) => pool === settings.proxmox.pool && ha !== undefined)
  return isUsed ? ask(proxmox.highAvailability.status(patience), patience) : undefined
}

/** The clock of the cluster, by the first node that reports it. */
function nowIn(machines: Examined['machines'], ours: number): number {
  const read = machines.find(({ time }) => time.seen && time.value.clock !== undefined)?.time
  return (read?.seen === true ? read.value.clock?.node : undefined) ?? ours
}
