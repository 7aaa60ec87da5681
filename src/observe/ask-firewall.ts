import { type Seen, seen, unseen } from '../cluster/seen.js'
import { reasonOf } from '../errors.js'
import type { World } from '../world.js'
import { askUnlessForbidden } from './ask-proxmox.js'
import type { ObservedFirewall, ObservedMachine, ObservedRules } from './observed.js'
import type { Question } from './question.js'

/** Whether VMs have or will have our rules. Otherwise these queries are skipped. */
export function concernsRules({ setsVmRules }: Question, machines: readonly ObservedMachine[]): boolean {
  return setsVmRules || machines.some(hasOwnRules)
}

/** Whether groups of ours may be left: VMs that had rules still have NICs for them. */
function concernsGroups(question: Question, machines: readonly ObservedMachine[]): boolean {
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

/** Queried if groups of ours may be left. A narrow token may not query them, and need not if no VM has our rules. */
export async function askFirewall(
  question: Question,
  machines: readonly ObservedMachine[],
  { proxmox }: World,
  signal: AbortSignal,
): Promise<Seen<ObservedFirewall> | undefined> {
  if (!concernsGroups(question, machines)) return undefined
  return askUnlessForbidden(readFirewall(proxmox, signal), concernsRules(question, machines), signal)
}

async function readFirewall({ firewall }: World['proxmox'], signal: AbortSignal): Promise<ObservedFirewall> {
  const cluster = { kind: 'cluster' } as const
  const [{ options }, groups, ipsets] = await Promise.all([
    firewall.options(cluster, signal),
    firewall.groups(signal),
    firewall.ipsets(cluster, signal),
  ])
  return { isOn: options.enable === '1', groups, ipsets }
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
