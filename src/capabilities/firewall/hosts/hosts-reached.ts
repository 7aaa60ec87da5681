import { seen } from '../../../cluster/seen.js'
import { UserFacingError } from '../../../errors.js'
import type { ObservedHostFirewall } from '../../../observe/observed.js'
import { management } from '../../../ownership/host-set.js'
import { trialTime } from '../../../trial/trial-time.js'
import type { Model } from '../../../work/model.js'
import { waitUntil } from '../../../work/wait-until.js'
import { findWanted } from '../../../work/wanted-machine.js'
import type { WorkContext } from '../../../work/work-context.js'
import { dialFromNodes } from '../dial-from-nodes.js'
import { reachByNewConnections } from '../new-connections.js'
import { keptRules } from '../vm/vm-rules.js'
import { addEntries, ownHostSet } from './host-rules.js'

/** Hosts look for new rules every ten seconds. */
const takeHoldMs = 15_000
const fix = 'Check firewall.admin_networks: it must contain the address that the Proxmox hosts see this computer with.'

/** Hosts did not take new connections. */
class HostsLost extends UserFacingError {
  readonly code = 'hosts-lost'
  readonly exitCode = 1
}

/**
 * Before the rules of hosts change: keeps a connection open, over which they can be reverted. If this computer is connected to a host
 * directly, its own address is added, so that a killed run does not lock it out.
 */
export async function holdAndAdmit(context: WorkContext): Promise<void> {
  const { hold, hosts } = context.proxmox
  const { local, remote } = await hold.hold(context.signal)
  const isDirect = remote !== undefined && (await hosts.addresses(context.signal)).includes(remote)
  if (local === undefined || !isDirect) return
  const comment = `${ownHostSet(context.desired).comment} ichor ran here`
  await addEntries(management, [{ cidr: local, comment }], context)
}

/** Waits until the rules are active, then reaches every host and every machine with rules over new connections. */
export async function proveHostsReached(context: WorkContext): Promise<void> {
  await context.clock.sleep(takeHoldMs, context.signal)
  await waitUntil(
    {
      forWhat: 'the Proxmox hosts to be reached over new connections',
      where: 'the firewall of the Proxmox datacenter',
      timeoutMs: trialTime(context.desired.hostFirewall?.trialMs ?? 0, context),
      intervalMs: 1000,
      minAttempts: 2,
      fix,
    },
    () => isReached(context),
    context,
  )
}

async function isReached(context: WorkContext): Promise<boolean> {
  const lost = await context.proxmox.hold.findLost(context.signal)
  if (lost.length > 0)
    throw new HostsLost(`${lost.join(', ')} did not take a new connection.`, { where: lost.join(', '), fix })
  const { observed, desired } = context
  const filtered = observed.machines
    .filter(({ name }) => findWanted(desired, name) !== undefined)
    .filter(({ mark, talos }) => keptRules(mark) !== undefined && talos.reach === 'secured')
    .map(({ name }) => name)
  for (const name of filtered) await reachByNewConnections(name, context)
  await dialFromNodes(filtered, context)
  return true
}

/** Updates the observed firewall of the datacenter. */
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
