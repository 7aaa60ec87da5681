import { staleManagers, wantedManagers } from '../machine/host-rules.js'
import type { Observed, ObservedHostFirewall } from '../observe/observed.js'
import type { IpsetEntry } from '../proxmox/client/port.js'
import { dropManagers } from '../steps/drop-managers.js'
import {
  enableHostFirewall,
  prepareHostFirewall,
  removeHostFirewall,
  undoHostFirewall,
} from '../steps/host-firewall.js'
import type { Draft, StepRef } from './draft.js'

/** The datacenter switch that an interrupted run left under test. */
export function planUnkeptSwitch(draft: Draft, { proxmox }: Observed): void {
  if (hostsOf(proxmox)?.state === 'tried') draft.add(undoHostFirewall, {}, 'a run ended before it was confirmed')
}

/** After everything else, and before VM rules, which have no effect while it is off. */
export function planHostFirewall(draft: Draft, { proxmox }: Observed): void {
  const hosts = hostsOf(proxmox)
  if (hosts === undefined || proxmox.firewall?.seen !== true || draft.steps.length > 0) return
  const { hostFirewall } = draft.desired
  if (hostFirewall === undefined) {
    planHostRemoval(draft, { proxmox }, 'it is not wanted any more')
    return
  }
  const { isOn } = proxmox.firewall.value
  // If another tool switched it on, it is not ours.
  if (isOn && hosts.state !== 'enabled') return
  const wanted = wantedManagers(hostFirewall.admins, hosts.addresses, hostFirewall.comment)
  const prepared = planPreparation(draft, hosts, wanted)
  if (!isOn) {
    const reason = hosts.state === 'enabled' ? 'it was disabled manually' : 'firewall.hosts in the inventory'
    draft.add(enableHostFirewall, {}, reason, [prepared])
    return
  }
  const stale = staleManagers(hosts.managers, wanted, hostFirewall.comment)
  if (stale.length > 0) draft.add(dropManagers, { entries: stale }, 'no longer in the inventory', [prepared])
}

function planPreparation(
  draft: Draft,
  hosts: ObservedHostFirewall,
  wanted: readonly IpsetEntry[],
): StepRef | undefined {
  const missing = wanted.map(({ cidr }) => cidr).filter((cidr) => !hosts.managers.some((entry) => entry.cidr === cidr))
  const isComplete = hosts.hasRule && hosts.addresses.every((address) => hosts.members.includes(address))
  if (missing.length === 0 && isComplete) return undefined
  const reason = missing.length === 0 ? 'the hosts must reach each other' : missing.join(', ')
  return draft.add(prepareHostFirewall, {}, reason)
}

/** Only what ichor has set. */
export function planHostRemoval(
  draft: Draft,
  { proxmox }: Pick<Observed, 'proxmox'>,
  reason: string,
  after: readonly (StepRef | undefined)[] = [],
): StepRef | undefined {
  const state = hostsOf(proxmox)?.state ?? 'none'
  if (state === 'none') return undefined
  return draft.add(removeHostFirewall, { isSwitched: state !== 'ready' }, reason, after)
}

/** What users should know before the switch: whose VMs it starts to filter. */
export function hostFirewallNotes({ hostFirewall }: Draft['desired'], { proxmox }: Observed): string[] {
  const hosts = hostsOf(proxmox)
  if (hostFirewall === undefined || hosts === undefined || proxmox.firewall?.seen !== true) return []
  if (proxmox.firewall.value.isOn)
    return hosts.state === 'none' || hosts.state === 'ready'
      ? ['The firewall of the Proxmox datacentre is already enabled, not by ichor: firewall.hosts changes nothing.']
      : []
  const named = hosts.foreign.map(({ vmid, name }) => (name === undefined ? `VM ${vmid}` : `${name} (VM ${vmid})`))
  return [
    named.length === 0
      ? 'Enabling the firewall of the Proxmox datacentre filters no other VM that this token can see.'
      : `Enabling the firewall of the Proxmox datacentre starts to filter VMs outside this cluster: ${named.join(', ')}.`,
    ...(hosts.unread.length === 0
      ? []
      : [`Check the firewall of guests that could not be read before it is enabled: ${hosts.unread.join(', ')}.`]),
  ]
}

function hostsOf({ firewall }: Observed['proxmox']): ObservedHostFirewall | undefined {
  return firewall?.seen === true ? firewall.value.hosts : undefined
}
