import { seen } from '../../../cluster/seen.js'
import type { Desired, DesiredGroup } from '../../../desired/desired.js'
import type { Mark } from '../../../ownership/mark.js'
import { defineStep, machineArgs, type StepContext } from '../../../steps/step.js'
import { trialTime } from '../../../trial/trial-time.js'
import { marked } from '../../../vm/marked.js'
import { changeMachine } from '../../../vm/observed-change.js'
import { findOwned, getOwned, setOwned } from '../../../vm/owned-vm.js'
import type { Model } from '../../../work/model.js'
import { waitUntil } from '../../../work/wait-until.js'
import { machineOf } from '../../../work/wanted-machine.js'
import { dialFromNodes } from '../dial-from-nodes.js'
import { reachByNewConnections } from '../new-connections.js'
import { hasRules, keptRules, putRules, triedGroup, type VmRules, withKeptRules, withTriedRules } from './vm-rules.js'

/** Hosts look for new rules every ten seconds. */
const takeHoldMs = 15_000

/** Rules of Proxmox on a VM: unless it is reached over new connections once they hold, they are rolled back. */
export const setVmFirewall = defineStep({
  kind: 'set-vm-firewall',
  args: machineArgs,
  title: ({ machine }) => `set the firewall of the VM of ${machine}, and take it back unless ${machine} is reached`,
  changes: true,
  disruptive: false,
  writesVm: true,
  inputs: ({ machine }, desired) => ({
    known: () => ({ policy: groupFor(machine, desired).policy, trialMs: desired.vmFirewall?.trialMs }),
  }),
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    const group = groupFor(machine, context.desired)
    if (owned === undefined || triedGroup(owned.mark) !== undefined) return false
    return keptRules(owned.mark)?.name === group.name && (await isSet(machine, group, context))
  },
  async run({ machine }, context) {
    const group = groupFor(machine, context.desired)
    const deadline = new Date(context.clock.now() + trialMs(context))
    // Record the trial first, so that the next run can revert it.
    await setMark(machine, (mark) => withTriedRules(mark, group, deadline), context)
    await putRules(await getOwned(machine, context), group, context)
  },
  trial: {
    async prove({ machine }, context) {
      await context.clock.sleep(takeHoldMs, context.signal)
      await waitUntil(
        {
          forWhat: `${machine} to be reached over new connections`,
          where: `VM of ${machine}`,
          timeoutMs: trialMs(context),
          intervalMs: 1000,
          minAttempts: 2,
          fix: 'Check firewall.admin_networks: it must contain the address that the VMs see this computer with.',
          machine,
        },
        async () => {
          await reachByNewConnections(machine, context)
          await dialFromNodes([machine], context)
          return true
        },
        context,
      )
    },
    keep: ({ machine }, context) =>
      setMark(machine, (mark) => withKeptRules(mark, groupFor(machine, context.desired)), context),
    undo: ({ machine }, context) => rollBack(machine, context),
  },
  effect: ({ machine }, model, desired) => expectRules(machine, groupFor(machine, desired), model, desired),
})

/** What a run that ended in the middle has left. */
export const undoVmFirewall = defineStep({
  kind: 'undo-vm-firewall',
  args: machineArgs,
  title: ({ machine }) => `roll back the unconfirmed firewall of the VM of ${machine}`,
  changes: true,
  disruptive: false,
  restores: true,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    return owned !== undefined && triedGroup(owned.mark) === undefined
  },
  async run({ machine }, context) {
    await rollBack(machine, context)
  },
  effect: ({ machine }, model, desired) => {
    const mark = model.machines.get(machine)?.mark
    expectRules(machine, mark === undefined ? undefined : keptRules(mark), model, desired)
  },
})

/** No longer in the inventory. Opening needs no trial. */
export const removeVmFirewall = defineStep({
  kind: 'remove-vm-firewall',
  args: machineArgs,
  title: ({ machine }) => `remove the firewall of the VM of ${machine}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    return owned !== undefined && keptRules(owned.mark) === undefined && triedGroup(owned.mark) === undefined
  },
  async run({ machine }, context) {
    await putRules(await getOwned(machine, context), undefined, context)
    await setMark(machine, (mark) => withKeptRules(mark, undefined), context)
  },
  effect: ({ machine }, model, desired) => expectRules(machine, undefined, model, desired),
})

/** As it was before; whether there was something to roll back. */
async function rollBack(machine: string, context: StepContext): Promise<boolean> {
  const owned = await getOwned(machine, context)
  if (triedGroup(owned.mark) === undefined) return false
  await putRules(owned, keptRules(owned.mark), context)
  await setMark(machine, (mark) => withKeptRules(mark, keptRules(mark)), context)
  return true
}

function groupFor(machine: string, desired: Desired): DesiredGroup {
  const group = desired.vmFirewall?.groups[machineOf(desired, machine).machine.role]
  if (group === undefined) throw new Error(`no rules are wanted for the VM of ${machine}`)
  return group
}

async function isSet(machine: string, group: DesiredGroup, context: StepContext): Promise<boolean> {
  const scope = { kind: 'vm', vm: await getOwned(machine, context) } as const
  const { options } = await context.proxmox.firewall.options(scope, context.signal)
  const { rules } = await context.proxmox.firewall.rules(scope, context.signal)
  const groups = rules.filter(({ type, enabled }) => type === 'group' && enabled).map(({ action }) => action)
  return hasRules({ options, groups }, group)
}

async function setMark(machine: string, change: (mark: Mark) => Mark, context: StepContext): Promise<void> {
  await setOwned(
    machine,
    ({ mark, config: { options } }) => ({ description: marked(options.description, change(mark), context.desired) }),
    context,
  )
}

function trialMs(context: StepContext): number {
  return trialTime(context.desired.vmFirewall?.trialMs ?? 0, context)
}

function expectRules(machine: string, rules: VmRules | undefined, model: Model, desired: Desired): void {
  const options = rules === undefined ? {} : { enable: '1', policy_in: rules.policyIn, dhcp: '1', ipfilter: '0' }
  const groups = rules === undefined ? [] : [rules.name]
  changeMachine(model, desired, machine, ({ mark }) => ({
    mark: withKeptRules(mark, rules),
    rules: seen({ options, groups }),
  }))
}
