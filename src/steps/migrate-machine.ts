import { z } from 'zod'
import { askMove } from '../capabilities/evacuation/evacuation.js'
import { guardPause } from '../etcd/etcd-guards.js'
import { handOverLeadership } from '../etcd/etcd-leader.js'
import { homeOf, withHome, withoutHome } from '../ownership/home.js'
import { MigrationFailed, withCopiesLeft } from '../vm/copies-left.js'
import { awaitManager, awaitReadiness } from '../vm/ha-move.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { getOwned, type OwnedVm, setOwned, settle } from '../vm/owned-vm.js'
import { taskProgress } from '../vm/task-progress.js'
import { findSeen } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'
import { defineStep, machineArgs } from './step.js'

/**
 * Moves the VM to another host: live if it runs, with disks that are not shared. The mark records the source host
 * before the move and drops it when the machine is back. A failed migration leaves it where it was.
 */
export const migrateMachine = defineStep({
  kind: 'migrate-machine',
  args: z.strictObject({ machine: z.string(), to: z.string() }),
  title: ({ machine, to }) => `move ${machine} to ${to}`,
  // A source host sends the memory and disks of one VM at a time.
  lane: ({ machine }, _desired, observed) => ({ name: `migrate:${findSeen(observed, machine)?.host ?? ''}`, limit: 1 }),
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine, to }, context) {
    const { host, mark } = await getOwned(machine, context)
    return host === to && homeOf(mark) !== to
  },
  guard: ({ machine }, context) => guardPause(machine, context),
  async run({ machine, to }, context) {
    await settle(await getOwned(machine, context), context)
    const owned = await getOwned(machine, context)
    if (owned.host !== to) await move(owned, to, context)
    await forget(machine, context)
  },
  effect: ({ machine, to }, model, desired) =>
    changeMachine(model, desired, machine, ({ host, mark }) => ({
      host: to,
      mark: (homeOf(mark) ?? host) === to ? withoutHome(mark) : withHome(mark, homeOf(mark) ?? host),
    })),
})

/**
 * A machine on the host that its mark names as its origin: a run was killed in between, or it was moved back by hand.
 */
export const forgetHome = defineStep({
  kind: 'forget-home',
  args: machineArgs,
  title: ({ machine }) => `record that ${machine} is back on its host`,
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine }, context) {
    const { host, mark } = await getOwned(machine, context)
    return homeOf(mark) !== host
  },
  run: ({ machine }, context) => forget(machine, context),
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: withoutHome(mark) })),
})

async function forget(machine: string, context: WorkContext): Promise<void> {
  const change = ({ host, mark, config: { options } }: OwnedVm) =>
    homeOf(mark) === host ? { description: marked(options.description, withoutHome(mark), context.desired) } : undefined
  await setOwned(machine, change, context)
}

async function move(owned: OwnedVm, to: string, context: WorkContext): Promise<void> {
  const machine = owned.mark.node
  const remember = ({ host, mark, config: { options } }: OwnedVm) =>
    homeOf(mark) === undefined
      ? { description: marked(options.description, withHome(mark, host), context.desired) }
      : undefined
  const { isRunning, localVolumes } = await askMove(owned, to, context)
  await setOwned(machine, remember, context)
  if (isRunning && owned.mark.role === 'controlplane') await handOverLeadership(machine, context)
  if (isManaged(owned, context)) await awaitReadiness(machine, context)
  const options = { target: to, online: isRunning, withLocalDisks: localVolumes.length > 0 }
  const request = async (vm: OwnedVm) => {
    context.assertLease()
    const task = await context.proxmox.machines.migrate(vm, options, context.signal)
    try {
      await context.proxmox.tasks.wait(task, context.signal, taskProgress(context))
    } catch (thrown) {
      throw await withCopiesLeft(thrown, vm, to, context)
    }
    return task
  }
  const { upid } = await request(owned)
  if (upid.includes(':hamigrate:'))
    await awaitManager(machine, to, async () => request(await getOwned(machine, context)), context)
  const { host } = await getOwned(machine, context)
  if (host === to) return
  throw new MigrationFailed(`${machine} is still on ${host}, though Proxmox reports that it was moved to ${to}.`, {
    where: `Proxmox host ${host}, VM ${owned.vmid}`,
    fix: 'Look at the task log of the VM in Proxmox, then run the same command again.',
  })
}

function isManaged({ vmid }: OwnedVm, { desired, observed }: WorkContext): boolean {
  const { ha } = observed.proxmox
  if (desired.highAvailability !== undefined) return true
  return ha?.seen === true && ha.value.resources.some((resource) => resource.vmid === vmid)
}
