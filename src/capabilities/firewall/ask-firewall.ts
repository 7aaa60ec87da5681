import { type Seen, seen, unseen } from '../../cluster/seen.js'
import { clusterComment } from '../../cluster/tag.js'
import { reasonOf } from '../../errors.js'
import type { ObserveScope } from '../../observe/observe-scope.js'
import type { ObservedFirewall, ObservedGroup, ObservedMachine, ObservedRules } from '../../observe/observed.js'
import { askUnlessForbidden } from '../../proxmox/model/ask-unless-forbidden.js'
import type { World } from '../../world.js'

/** Whether VMs have or will have our rules. Otherwise these queries are skipped. */
export function concernsRules({ setsVmRules }: ObserveScope, machines: readonly ObservedMachine[]): boolean {
  return setsVmRules || machines.some(hasOwnRules)
}

/** Whether groups of ours may be left: VMs that had rules still have NICs for them. */
function concernsGroups(question: ObserveScope, machines: readonly ObservedMachine[]): boolean {
  return (
    question.setsHostRules || concernsRules(question, machines) || machines.some(({ options }) => isFiltered(options))
  )
}

/** Whether the firewall filters a NIC of this VM. */
export function isFiltered(options: ObservedMachine['options']): boolean {
  return Object.entries(options).some(([key, value]) => /^net\d+$/.test(key) && /(^|,)firewall=1(,|$)/.test(value))
}

function hasOwnRules({ mark }: ObservedMachine): boolean {
  return mark.more?.firewall !== undefined || mark.more?.['firewall-trial'] !== undefined
}

/**
 * Queried if groups of ours may be left, and by an administrator. A narrow token may not query them, and need not if no
 * VM has our rules.
 */
export async function askFirewall(
  question: ObserveScope,
  { machines, isAdministering }: { readonly machines: readonly ObservedMachine[]; readonly isAdministering: boolean },
  { proxmox }: World,
  signal: AbortSignal,
): Promise<Seen<ObservedFirewall> | undefined> {
  if (!isAdministering && !concernsGroups(question, machines)) return undefined
  return askUnlessForbidden(readFirewall(question, proxmox, signal), concernsRules(question, machines), signal)
}

async function readFirewall(
  { clusterName }: ObserveScope,
  { firewall }: World['proxmox'],
  signal: AbortSignal,
): Promise<ObservedFirewall> {
  const cluster = { kind: 'cluster' } as const
  const [{ options }, groups, ipsets] = await Promise.all([
    firewall.options(cluster, signal),
    firewall.groups(signal),
    firewall.ipsets(cluster, signal),
  ])
  const withRules = async (group: ObservedGroup) =>
    group.comment.startsWith(`${clusterComment(clusterName)} `)
      ? { ...group, rules: (await firewall.rules({ kind: 'group', group: group.name }, signal)).rules }
      : group
  return { isOn: options.enable === '1', groups: await Promise.all(groups.map(withRules)), ipsets }
}

export async function askRules(
  machine: ObservedMachine,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<ObservedMachine> {
  const scope = { kind: 'vm', vm: machine } as const
  try {
    const [{ options }, { rules }] = await Promise.all([
      proxmox.firewall.options(scope, signal),
      proxmox.firewall.rules(scope, signal),
    ])
    const groups = rules.filter(({ type, enabled }) => type === 'group' && enabled).map(({ action }) => action)
    return { ...machine, rules: seen<ObservedRules>({ options, groups }) }
  } catch (thrown) {
    signal.throwIfAborted()
    return { ...machine, rules: unseen(reasonOf(thrown)) }
  }
}
