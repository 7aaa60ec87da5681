import type { VmRef } from '../../../cluster/machine.js'
import type { DesiredGroup } from '../../../desired/desired.js'
import type { ObservedRules } from '../../../observe/observed.js'
import type { Mark } from '../../../ownership/mark.js'
import type { WorkContext } from '../../../work/work-context.js'

/** The security group of a VM, and its policy for packets that match no rule of the group. */
export type VmRules = Pick<DesiredGroup, 'name' | 'policyIn'>

const kept = 'firewall'
const tried = 'firewall-trial'
const ownGroup = /^ichor-[0-9a-f]{12}$/

/** The permanent rules of a VM, as recorded in its mark. */
export function keptRules({ more }: Mark): VmRules | undefined {
  const [name, policyIn] = more?.[kept]?.split(' ') ?? []
  if (name === undefined || !ownGroup.test(name)) return undefined
  return { name, policyIn: policyIn === 'DROP' ? 'DROP' : 'ACCEPT' }
}

/** The group under test, or that was when a run ended. */
export function triedGroup({ more }: Mark): string | undefined {
  return more?.[tried]?.split(' ')[0]
}

export function withTriedRules(mark: Mark, { name }: VmRules, deadline: Date): Mark {
  return { ...mark, more: { ...mark.more, [tried]: `${name} ${deadline.toISOString()}` } }
}

/** The trial is over, however it ended, and these are the permanent rules. */
export function withKeptRules(mark: Mark, rules: VmRules | undefined): Mark {
  const { [kept]: _kept, [tried]: _tried, ...others } = mark.more ?? {}
  const { more: _, ...rest } = mark
  const more = { ...others, ...(rules === undefined ? {} : { [kept]: `${rules.name} ${rules.policyIn}` }) }
  return Object.keys(more).length === 0 ? rest : { ...rest, more }
}

/** `ipfilter` would drop packets of the VIP and of pods. */
function optionsOf({ policyIn }: VmRules): Record<string, string> {
  return { enable: '1', policy_in: policyIn, dhcp: '1', ipfilter: '0' }
}

export function hasRules({ options, groups }: ObservedRules, rules: VmRules): boolean {
  const own = groups.filter((group) => ownGroup.test(group))
  const isSet = Object.entries(optionsOf(rules)).every(([key, value]) => (options[key] ?? '0') === value)
  return isSet && own.length === 1 && own[0] === rules.name
}

/** Gives the VM these rules instead of our previous ones, or none; rules of the user stay. */
export async function putRules(vm: VmRef, rules: VmRules | undefined, context: WorkContext): Promise<void> {
  // The rules exist before they take effect, and are disabled before they are removed.
  if (rules === undefined) await putOptions(vm, undefined, context)
  if (rules !== undefined) await addGroup(vm, rules.name, context)
  await removeGroups(vm, rules?.name, context)
  if (rules !== undefined) await putOptions(vm, rules, context)
}

async function putOptions(vm: VmRef, rules: VmRules | undefined, context: WorkContext) {
  const scope = { kind: 'vm', vm } as const
  const { options, digest } = await context.proxmox.firewall.options(scope, context.signal)
  const wanted = rules === undefined ? {} : optionsOf(rules)
  const gone =
    rules === undefined ? ['enable', 'policy_in', 'dhcp', 'ipfilter'].filter((key) => options[key] !== undefined) : []
  const isSame = gone.length === 0 && Object.entries(wanted).every(([key, value]) => options[key] === value)
  if (isSame) return
  context.assertLease()
  await context.proxmox.firewall.setOptions(scope, { set: wanted, delete: gone, digest }, context.signal)
}

async function addGroup(vm: VmRef, group: string, context: WorkContext): Promise<void> {
  const scope = { kind: 'vm', vm } as const
  const { rules } = await context.proxmox.firewall.rules(scope, context.signal)
  if (rules.some(({ type, action, enabled }) => type === 'group' && action === group && enabled)) return
  context.assertLease()
  const rule = { type: 'group', action: group, enabled: true, match: {} } as const
  await context.proxmox.firewall.addRule(scope, rule, context.signal)
}

/** All our groups except this one. Positions change with each removal. */
async function removeGroups(vm: VmRef, but: string | undefined, context: WorkContext) {
  const scope = { kind: 'vm', vm } as const
  for (;;) {
    const { rules, digest } = await context.proxmox.firewall.rules(scope, context.signal)
    const position = rules.findIndex(({ type, action }) => type === 'group' && ownGroup.test(action) && action !== but)
    if (position < 0) return
    context.assertLease()
    await context.proxmox.firewall.removeRule(scope, position, digest, context.signal)
  }
}
