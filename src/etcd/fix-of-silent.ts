import type { Desired } from '../desired/desired.js'
import { findSeen, findWanted } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'
import { isOnlyControlPlane } from './etcd-guards.js'
import { wasBootstrapped } from './was-bootstrapped.js'

/** What to do about a machine that runs and does not answer. Only its console shows why. */
export function fixOfSilent(machine: string, context: WorkContext): string {
  const look = `Look at its console in Proxmox. ${addressNeed(machine, context.desired)}`
  if (findSeen(context.observed, machine)?.mark.stage !== 'made') return look
  return `${look} If it shows the maintenance screen, it was wiped: ${wayOut(machine, context)}`
}

/** Where its address comes from. */
export function addressNeed(machine: string, desired: Pick<Desired, 'machines'>): string {
  const wanted = findWanted(desired, machine)
  const [nic] = wanted?.machine.nics ?? []
  if (nic === undefined || !nic.dhcp) return 'Its address must be the one in the inventory.'
  const { mac, bridge } = nic
  if (wanted?.address === undefined)
    return `It needs a lease of a DHCP server on ${bridge} for ${mac}, and the extension siderolabs/qemu-guest-agent, which reports its address.`
  return `It needs the lease ${wanted.address} for ${mac} on ${bridge}: ichor render --dhcp dnsmasq writes the reservations for the DHCP server.`
}

/** A wiped machine has no config and no guest agent, so its address cannot be found. */
function wayOut(machine: string, context: WorkContext): string {
  if (!isOnlyControlPlane(machine, context) || !wasBootstrapped(context.observed)) return `ichor replace ${machine}.`
  return 'its etcd is lost, ichor status names the newest snapshot for ichor restore NAME --gone. Without a snapshot, delete its VM in Proxmox; ichor up --new-etcd then starts over with an EMPTY etcd.'
}
