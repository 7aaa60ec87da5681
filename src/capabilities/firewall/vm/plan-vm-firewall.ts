import type { Role } from '../../../cluster/machine.js'
import type { Desired, DesiredGroup, DesiredMachine } from '../../../desired/desired.js'
import type { Finding } from '../../../findings/finding.js'
import { firewallOff } from '../../../findings/notes/proxmox.js'
import type { Observed } from '../../../observe/observed.js'
import { isLeaving, mayAdminister, noteForAdministrator } from '../../../plan/administration.js'
import { backArgs, controlPlanesFirst } from '../../../plan/disruption.js'
import type { Draft, StepRef } from '../../../plan/draft.js'
import { turnOf } from '../../../plan/turns.js'
import { awaitBack } from '../../../steps/await-back.js'
import { makeSecrets } from '../../../steps/make-secrets.js'
import { findSeen } from '../../../work/wanted-machine.js'
import { removeFirewallGroups, setFirewallGroup } from './firewall-groups.js'
import { isGroupComplete, ownFirewall } from './group-rules.js'
import { removeVmFirewall, setVmFirewall } from './set-vm-firewall.js'
import { hasRules, keptRules } from './vm-rules.js'

/** Proxmox rules on the VMs, after everything else. What could not be read is left unchanged. */
export function planVmFirewall(draft: Draft, observed: Observed): void {
  if (observed.proxmox.firewall?.seen !== true || draft.steps.length > 0) return
  if (draft.desired.vmFirewall === undefined) planNoRules(draft, observed)
  else for (const wanted of draft.desired.machines) planRules(draft, wanted, observed)
  if (draft.steps.length === 0) planLeftovers(draft, observed)
}

/** Rules cannot be verified on a machine that does not respond: it gets them when it is back. */
function planRules(draft: Draft, { machine }: DesiredMachine, observed: Observed): void {
  const seen = findSeen(observed, machine.name)
  const group = draft.desired.vmFirewall?.groups[machine.role]
  if (seen === undefined || seen.rules?.seen === false || seen.talos.reach !== 'secured' || group === undefined) return
  const kept = keptRules(seen.mark)
  if (kept?.name === group.name && seen.rules !== undefined && hasRules(seen.rules.value, group)) return
  const turn = { ...turnOf(machine, draft.desired), name: 'firewall', limit: 1 }
  const isAdministrator = mayAdminister(observed)
  if (!isAdministrator && !isReady(group, observed)) return
  const made = isAdministrator ? planGroup(draft, machine.role, group.name, observed) : undefined
  const first = [made, ...controlPlanesFirst(draft, machine)]
  const set = draft.add(setVmFirewall, { machine: machine.name }, reasonFor(kept?.name, group.name), first, turn)
  draft.add(awaitBack, { ...backArgs(seen), after: 'move' }, 'its firewall changed', [set], turn)
}

function reasonFor(kept: string | undefined, wanted: string): string {
  if (kept === undefined) return 'firewall.proxmox in the inventory'
  return kept === wanted ? 'it was changed manually' : 'the policy changed'
}

function isReady(group: DesiredGroup, { proxmox }: Observed): boolean {
  const groups = proxmox.firewall?.seen === true ? proxmox.firewall.value.groups : []
  return isGroupComplete(group, groups.find(({ name }) => name === group.name)?.rules)
}

/** For `ichor access`: the groups that machines of the cluster are about to use. */
export function planGroups(draft: Draft, observed: Observed): void {
  if (observed.proxmox.firewall?.seen !== true) return
  for (const role of rolesWithoutGroup(draft.desired, observed))
    draft.add(setFirewallGroup, { role }, 'firewall.proxmox in the inventory', [draft.refIfPlanned(makeSecrets, {})])
}

function rolesWithoutGroup({ vmFirewall }: Desired, observed: Observed): Role[] {
  if (vmFirewall === undefined) return []
  return (['controlplane', 'worker'] as const).filter((role) => !isReady(vmFirewall.groups[role], observed))
}

function planGroup(draft: Draft, role: Role, group: string, { proxmox }: Observed): StepRef | undefined {
  const isThere = proxmox.firewall?.seen === true && proxmox.firewall.value.groups.some(({ name }) => name === group)
  // An existing group may be incomplete. Only the step can check, and it ends at once if the group is complete.
  const reason = isThere ? 'a machine is about to use it' : 'new policy'
  return draft.add(setFirewallGroup, { role }, reason)
}

function planNoRules(draft: Draft, { machines }: Observed): void {
  for (const { name: machine, mark } of machines)
    if (keptRules(mark) !== undefined) draft.add(removeVmFirewall, { machine }, 'it is not wanted any more')
}

/** Security groups and IP sets of this cluster that no machine uses; `all` of them when the cluster is deleted. */
export function planLeftovers(draft: Draft, observed: Observed, after: readonly StepRef[] = []): StepRef | undefined {
  const left = findLeftovers(draft.desired, observed)
  if (left === undefined || !mayAdminister(observed)) return undefined
  return draft.add(removeFirewallGroups, left, 'no machine uses them any more', after)
}

function findLeftovers(desired: Desired, observed: Observed) {
  const { proxmox } = observed
  if (proxmox.firewall?.seen !== true) return undefined
  const used = new Set(isLeaving(desired) ? [] : usedGroups(desired, observed))
  const own = ownFirewall(proxmox.firewall.value, desired)
  const groups = own.groups.filter((name) => !used.has(name))
  const ipsets = own.ipsets.filter((name) => !used.has(name.replace(/-\w+$/, '')))
  return groups.length + ipsets.length === 0 ? undefined : { groups, ipsets }
}

/** Includes those of machines that could not be read. */
function usedGroups(desired: Desired, observed: Observed): string[] {
  const { machines } = observed
  const wanted = Object.values(desired.vmFirewall?.groups ?? {}).map(({ name }) => name)
  const there = machines.flatMap(({ mark, rules }) => [
    keptRules(mark)?.name ?? '',
    ...(rules?.seen === true ? rules.value.groups : []),
  ])
  const isUnseen =
    desired.away.length > 0 ||
    observed.unverified.length > 0 ||
    machines.some(({ mark, rules }) => keptRules(mark) !== undefined && rules?.seen !== true)
  const all = isUnseen && observed.proxmox.firewall?.seen === true ? observed.proxmox.firewall.value.groups : []
  return [...wanted, ...there, ...all.map(({ name }) => name)]
}

/** For a token that may not write groups and IP sets. */
export function groupNotes(desired: Desired, observed: Observed): Finding[] {
  if (observed.proxmox.firewall?.seen !== true || mayAdminister(observed)) return []
  const missing = rolesWithoutGroup(desired, observed).map((role) => (role === 'worker' ? 'workers' : 'control planes'))
  const left = findLeftovers(desired, observed)
  const unused = [...(left?.groups ?? []), ...(left?.ipsets ?? [])].join(', ')
  return [
    ...(missing.length === 0
      ? []
      : [
          noteForAdministrator(
            desired,
            `The Proxmox security group of ${missing.join(' and ')} is missing or incomplete`,
            { kind: 'object', name: 'security groups' },
          ),
        ]),
    ...(left === undefined
      ? []
      : [
          noteForAdministrator(desired, `No machine will use ${unused} of the Proxmox firewall`, {
            kind: 'object',
            name: unused,
          }),
        ]),
  ]
}

/** What users should know about the wanted rules. */
export function firewallNotes({ vmFirewall, hostFirewall }: Draft['desired'], { proxmox }: Observed): Finding[] {
  if (
    vmFirewall === undefined ||
    hostFirewall !== undefined ||
    proxmox.firewall?.seen !== true ||
    proxmox.firewall.value.isOn
  )
    return []
  return [
    firewallOff.note(
      'The firewall of the Proxmox datacenter is off: rules on VMs have no effect until it is enabled. They could not be tested.',
      { subject: { kind: 'object', name: 'firewall of the datacenter' } },
    ),
  ]
}
