import type { Desired } from '../../../desired/desired.js'
import type { Finding } from '../../../findings/finding.js'
import { foreignSwitch, othersFiltered, unreadGuests } from '../../../findings/notes/proxmox.js'
import type { Observed, ObservedHostFirewall } from '../../../observe/observed.js'
import { mayAdminister, noteForAdministrator } from '../../../plan/administration.js'
import type { Draft, StepRef } from '../../../plan/draft.js'
import type { IpsetEntry } from '../../../proxmox/client/port.js'
import { dropManagers } from './drop-managers.js'
import { enableHostFirewall, prepareHostFirewall, removeHostFirewall, undoHostFirewall } from './host-firewall.js'
import { staleManagers, wantedManagers } from './host-rules.js'

/** The datacenter switch that an interrupted run left under test. */
export function planUnkeptSwitch(draft: Draft, observed: Observed): void {
  if (hostsOf(observed.proxmox)?.state === 'tried' && mayAdminister(observed))
    draft.add(undoHostFirewall, {}, 'a run ended before it was confirmed')
}

/** After everything else, and before VM rules, which have no effect while it is off. */
export function planHostFirewall(draft: Draft, { proxmox }: Observed): void {
  const hosts = hostsOf(proxmox)
  if (hosts === undefined || proxmox.firewall?.seen !== true || draft.steps.length > 0) return
  if (!mayAdminister({ proxmox })) return
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
  if (isPrepared(hosts, wanted)) return undefined
  const missing = missingManagers(hosts, wanted)
  const reason = missing.length === 0 ? 'the hosts must reach each other' : missing.join(', ')
  return draft.add(prepareHostFirewall, {}, reason)
}

function isPrepared(hosts: ObservedHostFirewall, wanted: readonly IpsetEntry[]): boolean {
  const isComplete = hosts.hasRule && hosts.addresses.every((address) => hosts.members.includes(address))
  return isComplete && missingManagers(hosts, wanted).length === 0
}

function missingManagers({ managers }: ObservedHostFirewall, wanted: readonly IpsetEntry[]): string[] {
  return wanted.map(({ cidr }) => cidr).filter((cidr) => !managers.some((entry) => entry.cidr === cidr))
}

/** Only what ichor has set. */
export function planHostRemoval(
  draft: Draft,
  { proxmox }: Pick<Observed, 'proxmox'>,
  reason: string,
  after: readonly (StepRef | undefined)[] = [],
): StepRef | undefined {
  const state = hostsOf(proxmox)?.state ?? 'none'
  if (state === 'none' || !mayAdminister({ proxmox })) return undefined
  return draft.add(removeHostFirewall, { isSwitched: state !== 'ready' }, reason, after)
}

const datacenter = { kind: 'object', name: 'firewall of the datacenter' } as const

/** For a token that may not change it. */
export function hostRulesNotes(desired: Desired, { proxmox }: Observed): Finding[] {
  const hosts = hostsOf(proxmox)
  if (hosts === undefined || proxmox.firewall?.seen !== true || mayAdminister({ proxmox })) return []
  const { isOn } = proxmox.firewall.value
  const { hostFirewall } = desired
  const what = 'The firewall of the Proxmox datacenter'
  if (hosts.state === 'tried')
    return [noteForAdministrator(desired, `${what} was enabled and not confirmed`, datacenter)]
  if (hostFirewall === undefined)
    return hosts.state === 'none'
      ? []
      : [noteForAdministrator(desired, `${what} has rules that are no longer wanted`, datacenter)]
  if (!isOn) return [noteForAdministrator(desired, `${what} is off`, datacenter)]
  if (hosts.state !== 'enabled') return []
  const wanted = wantedManagers(hostFirewall.admins, hosts.addresses, hostFirewall.comment)
  const isSame = isPrepared(hosts, wanted) && staleManagers(hosts.managers, wanted, hostFirewall.comment).length === 0
  return isSame
    ? []
    : [noteForAdministrator(desired, `${what} differs from firewall.admin_networks and the hosts`, datacenter)]
}

/** What users should know before the switch: whose VMs it starts to filter. */
export function hostFirewallNotes({ hostFirewall }: Draft['desired'], { proxmox }: Observed): Finding[] {
  const hosts = hostsOf(proxmox)
  if (hostFirewall === undefined || hosts === undefined || proxmox.firewall?.seen !== true) return []
  if (proxmox.firewall.value.isOn)
    return hosts.state === 'none' || hosts.state === 'ready'
      ? [
          foreignSwitch.note(
            'The firewall of the Proxmox datacenter is already enabled, not by ichor: firewall.hosts changes nothing.',
            { subject: datacenter },
          ),
        ]
      : []
  if (!mayAdminister({ proxmox })) return []
  const named = hosts.foreign.map(({ vmid, name }) => (name === undefined ? `VM ${vmid}` : `${name} (VM ${vmid})`))
  return [
    named.length === 0
      ? othersFiltered.note(
          'Enabling the firewall of the Proxmox datacenter filters no other VM that this token can see.',
          { subject: datacenter },
        )
      : othersFiltered.note(
          `Enabling the firewall of the Proxmox datacenter starts to filter VMs outside this cluster: ${named.join(', ')}.`,
          { subject: datacenter, severity: 'warns' },
        ),
    ...(hosts.unread.length === 0
      ? []
      : [
          unreadGuests.note(
            `Check the firewall of guests that could not be read before it is enabled: ${hosts.unread.join(', ')}.`,
            { subject: datacenter },
          ),
        ]),
  ]
}

function hostsOf({ firewall }: Observed['proxmox']): ObservedHostFirewall | undefined {
  return firewall?.seen === true ? firewall.value.hosts : undefined
}
