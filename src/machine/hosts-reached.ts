import { seen } from '../cluster/seen.js'
import { UserFacingError } from '../errors.js'
import type { ObservedHostFirewall } from '../observe/observed.js'
import { management } from '../ownership/host-set.js'
import type { World } from '../world.js'
import { dialFromNodes } from './dial-from-nodes.js'
import { addEntries, ownHostSet } from './host-rules.js'
import type { Model } from './model.js'
import { reachByNewConnections } from './new-connections.js'
import { trialTime } from './trial-time.js'
import { keptRules } from './vm-rules.js'
import { waitUntil } from './wait-until.js'
import { findWanted } from './wanted-machine.js'
import type { WorkContext } from './work-context.js'

/** Hosts look for new rules every ten seconds. */
const takeHoldMs = 15_000
const fix = 'Check firewall.admin_networks: it must contain the address that the Proxmox hosts see this computer with.'

/** Hosts did not take new connections. */
class HostsLost extends UserFacingError {
  readonly code = 'hosts-lost'
  readonly exitCode = 1
}

/**
 * Before hosts filter otherwise: a connection that stays open, over which it can be taken back. Where nothing stands between this
 * computer and a host, its own address stays let in, so that a kill locks nobody out.
 */
export async function holdAndAdmit(world: World, context: WorkContext): Promise<void> {
  const { hold, hosts } = world.proxmox
  const { local, remote } = await hold.hold(context.signal)
  const isDirect = remote !== undefined && (await hosts.addresses(context.signal)).includes(remote)
  if (local === undefined || !isDirect) return
  const comment = `${ownHostSet(context.desired).comment} ichor ran here`
  await addEntries(management, [{ cidr: local, comment }], world, context)
}

/** Once the rules hold: every host and every machine whose rules hold is reached over new connections. */
export async function proveHostsReached(world: World, context: WorkContext): Promise<void> {
  await world.clock.sleep(takeHoldMs, context.signal)
  await waitUntil(
    {
      forWhat: 'the Proxmox hosts to be reached over new connections',
      where: 'the firewall of the Proxmox datacentre',
      timeoutMs: trialTime(context.desired.hostFirewall?.trialMs ?? 0, world),
      intervalMs: 1000,
      fewestQuestions: 2,
      fix,
    },
    () => isReached(world, context),
    world,
    context,
  )
}

async function isReached(world: World, context: WorkContext): Promise<boolean> {
  const lost = await world.proxmox.hold.findLost(context.signal)
  if (lost.length > 0)
    throw new HostsLost(`${lost.join(', ')} did not take a new connection.`, { where: lost.join(', '), fix })
  const { observed, desired } = context
  const filtered = observed.machines
    .filter(({ name }) => findWanted(desired, name) !== undefined)
    .filter(({ mark, talos }) => keptRules(mark) !== undefined && talos.reach === 'secured')
    .map(({ name }) => name)
  for (const name of filtered) await reachByNewConnections(name, world, context)
  await dialFromNodes(filtered, world, context)
  return true
}

/** What is seen of the firewall of the datacentre, once it has changed. */
export function changeHosts(
  model: Model,
  change: (hosts: ObservedHostFirewall) => Partial<ObservedHostFirewall>,
): void {
  model.change(({ proxmox }) => {
    if (proxmox.firewall?.seen !== true || proxmox.firewall.value.hosts === undefined) return {}
    const { hosts } = proxmox.firewall.value
    return {
      proxmox: { ...proxmox, firewall: seen({ ...proxmox.firewall.value, hosts: { ...hosts, ...change(hosts) } }) },
    }
  })
}
