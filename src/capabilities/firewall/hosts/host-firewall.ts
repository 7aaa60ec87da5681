import { z } from 'zod'
import { seen } from '../../../cluster/seen.js'
import type { Desired, DesiredHostFirewall } from '../../../desired/desired.js'
import { type HostFirewallState, isHostRule, management } from '../../../ownership/host-set.js'
import { defineStep, noArgs, type StepContext } from '../../../steps/step.js'
import type { Model } from '../../../work/model.js'
import { addEntries, hostRule, ownHostSet, removeHostSet, wantedManagers } from './host-rules.js'
import { changeHosts, holdAndAdmit, proveHostsReached } from './hosts-reached.js'

const cluster = { kind: 'cluster' } as const

/** Everything that must be there before the switch: who administers the hosts, and that the hosts reach each other. */
export const prepareHostFirewall = defineStep({
  kind: 'prepare-host-firewall',
  args: noArgs,
  title: () => `add the administrators and the hosts to the IP set ${management} of Proxmox`,
  changes: true,
  disruptive: false,
  inputs: (_args, desired) => ({ known: () => ({ admins: hostFirewallOf(desired).admins }) }),
  async done(_args, { proxmox: { firewall, hosts }, desired, signal }) {
    const set = ownHostSet(desired)
    const sets = (await firewall.ipsets(cluster, signal)).map(({ name }) => name)
    if (!sets.includes(set.name) || !sets.includes(management)) return false
    const addresses = await hosts.addresses(signal)
    const [members, managers, { rules }] = await Promise.all([
      firewall.ipsetEntries(cluster, set.name, signal),
      firewall.ipsetEntries(cluster, management, signal),
      firewall.rules(cluster, signal),
    ])
    const has = (entries: typeof members, cidr: string) => entries.some((entry) => entry.cidr === cidr)
    return (
      addresses.every((cidr) => has(members, cidr)) &&
      managersOf(desired, addresses).every(({ cidr }) => has(managers, cidr)) &&
      rules.some((rule) => isHostRule(rule, set))
    )
  },
  async run(_args, context) {
    const { desired, signal } = context
    const set = ownHostSet(desired)
    const { firewall, hosts } = context.proxmox
    const addresses = await hosts.addresses(signal)
    context.assertLease()
    await firewall.createIpset(cluster, set.name, set.commentOf('ready'), signal)
    await addEntries(
      set.name,
      addresses.map((cidr) => ({ cidr })),
      context,
    )
    const { rules } = await firewall.rules(cluster, signal)
    if (!rules.some((rule) => isHostRule(rule, set))) await firewall.addRule(cluster, hostRule(set), signal)
    await firewall.createIpset(cluster, management, set.comment, signal)
    await addEntries(management, managersOf(desired, addresses), context)
  },
  effect: (_args, model, desired) =>
    changeHosts(model, ({ addresses, managers, state }) => {
      const wanted = managersOf(desired, addresses)
      const others = managers.filter(({ cidr }) => !wanted.some((entry) => entry.cidr === cidr))
      return {
        state: state === 'none' ? 'ready' : state,
        members: addresses,
        hasRule: true,
        managers: [...others, ...wanted],
      }
    }),
})

/**
 * The switch of the datacenter. Nothing on a host takes it back: one connection from before stays open for that, and new
 * connections to every host and to the machines prove that no administrator is locked out.
 */
export const enableHostFirewall = defineStep({
  kind: 'enable-host-firewall',
  args: noArgs,
  title: () => 'enable the firewall of the Proxmox datacenter, and disable it unless the hosts are reached',
  changes: true,
  disruptive: false,
  inputs: (_args, { hostFirewall }) => ({
    known: () => ({ admins: hostFirewall?.admins, trialMs: hostFirewall?.trialMs }),
  }),
  async done(_args, context) {
    return (await stateOf(context)) === 'enabled' && (await isOn(context))
  },
  async run(_args, context) {
    await holdAndAdmit(context)
    // What is only tried is written down before it happens: a run that comes after a kill takes it back.
    await note('tried', context)
    context.assertLease()
    await context.proxmox.firewall.setOptions(cluster, { set: { enable: '1' } }, context.signal)
  },
  trial: {
    prove: (_args, context) => proveHostsReached(context),
    async keep(_args, context) {
      await note('enabled', context)
      context.proxmox.hold.release()
    },
    async undo(_args, context) {
      try {
        return await rollBack(['tried'], context)
      } finally {
        context.proxmox.hold.release()
      }
    },
  },
  effect: (_args, model) => expectSwitch(model, true, 'enabled'),
})

/** What a run that ended in the middle has left. */
export const undoHostFirewall = defineStep({
  kind: 'undo-host-firewall',
  args: noArgs,
  title: () => 'disable the firewall of the Proxmox datacenter, which was not confirmed',
  changes: true,
  disruptive: false,
  restores: true,
  done: async (_args, context) => (await stateOf(context)) !== 'tried',
  async run(_args, context) {
    await rollBack(['tried'], context)
  },
  effect: (_args, model) => expectSwitch(model, false, 'ready'),
})

/** No longer in the inventory: disables what ichor enabled and removes what it added. */
export const removeHostFirewall = defineStep({
  kind: 'remove-host-firewall',
  args: z.strictObject({ isSwitched: z.boolean() }),
  title: ({ isSwitched }) =>
    isSwitched
      ? 'disable the firewall of the Proxmox datacenter, which ichor has enabled'
      : 'remove the rules of hosts from Proxmox',
  changes: true,
  disruptive: false,
  done: async (_args, context) => (await stateOf(context)) === 'none',
  async run(_args, context) {
    await rollBack(['tried', 'enabled'], context)
    await removeHostSet(ownHostSet(context.desired), context)
  },
  effect: ({ isSwitched }, model) => {
    if (isSwitched) expectSwitch(model, false, 'none')
    changeHosts(model, () => ({ state: 'none', members: [], hasRule: false }))
  },
})

/** The switch is off again, if ichor has left it in one of these states; whether it has. */
async function rollBack(states: readonly HostFirewallState[], context: StepContext): Promise<boolean> {
  if (!states.includes(await stateOf(context))) return false
  context.assertLease()
  if (await isOn(context)) await context.proxmox.firewall.setOptions(cluster, { set: { enable: '0' } }, context.signal)
  await note('ready', context)
  return true
}

async function note(state: Exclude<HostFirewallState, 'none'>, context: StepContext) {
  const set = ownHostSet(context.desired)
  context.assertLease()
  await context.proxmox.firewall.setIpsetComment(cluster, set.name, set.commentOf(state), context.signal)
}

async function stateOf({ proxmox, desired, signal }: StepContext): Promise<HostFirewallState> {
  const set = ownHostSet(desired)
  const there = await proxmox.firewall.ipsets(cluster, signal)
  return set.stateOf(there.find(({ name }) => name === set.name)?.comment)
}

async function isOn({ proxmox, signal }: StepContext): Promise<boolean> {
  return (await proxmox.firewall.options(cluster, signal)).options.enable === '1'
}

function managersOf(desired: Desired, addresses: readonly string[]) {
  const { admins, comment } = hostFirewallOf(desired)
  return wantedManagers(admins, addresses, comment)
}

function hostFirewallOf({ hostFirewall }: Desired): DesiredHostFirewall {
  if (hostFirewall === undefined) throw new Error('the firewall of hosts is not wanted')
  return hostFirewall
}

function expectSwitch(model: Model, isOn: boolean, state: HostFirewallState): void {
  model.change(({ proxmox }) => {
    if (proxmox.firewall?.seen !== true) return {}
    return { proxmox: { ...proxmox, firewall: seen({ ...proxmox.firewall.value, isOn }) } }
  })
  changeHosts(model, () => ({ state }))
}
