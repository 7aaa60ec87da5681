import { seen } from '../cluster/seen.js'
import type { Desired, DesiredGroup } from '../desired/desired.js'
import { dialFromNodes } from '../machine/dial-from-nodes.js'
import { marked } from '../machine/marked.js'
import type { Model } from '../machine/model.js'
import { reachByNewConnections } from '../machine/new-connections.js'
import { changeMachine } from '../machine/observed-change.js'
import { findOwned, getOwned, setOwned } from '../machine/owned-vm.js'
import { trialTime } from '../machine/trial-time.js'
import {
  hasRules,
  keptRules,
  putRules,
  triedGroup,
  type VmRules,
  withKeptRules,
  withTriedRules,
} from '../machine/vm-rules.js'
import { waitUntil } from '../machine/wait-until.js'
import { machineOf } from '../machine/wanted-machine.js'
import type { Mark } from '../ownership/mark.js'
import type { World } from '../world.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

/** Hosts look for new rules every ten seconds. */
const takeHoldMs = 15_000

/** Rules of Proxmox on a VM: unless it is reached over new connections once they hold, they are taken back. */
export const setVmFirewall = defineStep({
  kind: 'set-vm-firewall',
  args: machineArgs,
  title: ({ machine }) => `set the firewall of the VM of ${machine}, and take it back unless ${machine} is reached`,
  changes: true,
  disruptive: false,
  inputs: ({ machine }, desired) => ({ known: () => ({ policy: groupFor(machine, desired).policy }) }),
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    const group = groupFor(machine, context.desired)
    if (owned === undefined || triedGroup(owned.mark) !== undefined) return false
    return keptRules(owned.mark)?.name === group.name && (await isSet(machine, group, world, context))
  },
  async run({ machine }, world, context) {
    const group = groupFor(machine, context.desired)
    const deadline = new Date(world.clock.now() + trialMs(world, context))
    // What is only tried is written down before it happens: whoever comes after a kill takes it back.
    await setMark(machine, (mark) => withTriedRules(mark, group, deadline), world, context)
    await putRules(await getOwned(machine, world, context), group, world, context)
  },
  trial: {
    async prove({ machine }, world, context) {
      await world.clock.sleep(takeHoldMs, context.signal)
      await waitUntil(
        {
          forWhat: `${machine} to be reached over new connections`,
          where: `VM of ${machine}`,
          timeoutMs: trialMs(world, context),
          intervalMs: 1000,
          fewestQuestions: 2,
          fix: 'Check firewall.admin_networks: it must contain the address that the VMs see this computer with.',
          machine,
        },
        async () => {
          await reachByNewConnections(machine, world, context)
          await dialFromNodes([machine], world, context)
          return true
        },
        world,
        context,
      )
    },
    keep: ({ machine }, world, context) =>
      setMark(machine, (mark) => withKeptRules(mark, groupFor(machine, context.desired)), world, context),
    undo: ({ machine }, world, context) => takeBack(machine, world, context),
  },
  effect: ({ machine }, model, desired) => expectRules(machine, groupFor(machine, desired), model, desired),
})

/** What a run that ended in the middle has left. */
export const undoVmFirewall = defineStep({
  kind: 'undo-vm-firewall',
  args: machineArgs,
  title: ({ machine }) => `take back the unconfirmed firewall of the VM of ${machine}`,
  changes: true,
  disruptive: false,
  restores: true,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned !== undefined && triedGroup(owned.mark) === undefined
  },
  async run({ machine }, world, context) {
    await takeBack(machine, world, context)
  },
  effect: ({ machine }, model, desired) => {
    const mark = model.machines.get(machine)?.mark
    expectRules(machine, mark === undefined ? undefined : keptRules(mark), model, desired)
  },
})

/** Nobody wants it any more: opening needs no trial. */
export const removeVmFirewall = defineStep({
  kind: 'remove-vm-firewall',
  args: machineArgs,
  title: ({ machine }) => `remove the firewall of the VM of ${machine}`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned !== undefined && keptRules(owned.mark) === undefined && triedGroup(owned.mark) === undefined
  },
  async run({ machine }, world, context) {
    await putRules(await getOwned(machine, world, context), undefined, world, context)
    await setMark(machine, (mark) => withKeptRules(mark, undefined), world, context)
  },
  effect: ({ machine }, model, desired) => expectRules(machine, undefined, model, desired),
})

/** As it was before; whether there was something to take back. */
async function takeBack(machine: string, world: World, context: StepContext): Promise<boolean> {
  const owned = await getOwned(machine, world, context)
  if (triedGroup(owned.mark) === undefined) return false
  await putRules(owned, keptRules(owned.mark), world, context)
  await setMark(machine, (mark) => withKeptRules(mark, keptRules(mark)), world, context)
  return true
}

function groupFor(machine: string, desired: Desired): DesiredGroup {
  const group = desired.vmFirewall?.groups[machineOf(desired, machine).machine.role]
  if (group === undefined) throw new Error(`no rules are wanted for the VM of ${machine}`)
  return group
}

async function isSet(machine: string, group: DesiredGroup, world: World, context: StepContext): Promise<boolean> {
  const scope = { kind: 'vm', vm: await getOwned(machine, world, context) } as const
  const { options } = await world.proxmox.firewall.options(scope, context.signal)
  const { rules } = await world.proxmox.firewall.rules(scope, context.signal)
  const groups = rules.filter(({ type, enabled }) => type === 'group' && enabled).map(({ action }) => action)
  return hasRules({ options, groups }, group)
}

async function setMark(
  machine: string,
  change: (mark: Mark) => Mark,
  world: World,
  context: StepContext,
): Promise<void> {
  await setOwned(
    machine,
    ({ mark, config: { options } }) => ({ description: marked(options.description, change(mark), context.desired) }),
    world,
    context,
  )
}

function trialMs(world: World, { desired }: StepContext): number {
  return trialTime(desired.vmFirewall?.trialMs ?? 0, world)
}

function expectRules(machine: string, rules: VmRules | undefined, model: Model, desired: Desired): void {
  const options = rules === undefined ? {} : { enable: '1', policy_in: rules.policyIn, dhcp: '1', ipfilter: '0' }
  const groups = rules === undefined ? [] : [rules.name]
  changeMachine(model, desired, machine, ({ mark }) => ({
    mark: withKeptRules(mark, rules),
    rules: seen({ options, groups }),
  }))
}
