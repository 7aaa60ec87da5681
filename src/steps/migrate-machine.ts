import { z } from 'zod'
import { UserFacingError } from '../errors.js'
import { guardPause } from '../machine/etcd-guards.js'
import { handOverLeadership } from '../machine/etcd-leader.js'
import { askMove } from '../machine/evacuation.js'
import { awaitManager } from '../machine/ha-move.js'
import { marked } from '../machine/marked.js'
import { changeMachine } from '../machine/observed-change.js'
import { getOwned, type OwnedVm, setOwned, settle } from '../machine/owned-vm.js'
import { taskProgress } from '../machine/task-progress.js'
import { findSeen } from '../machine/wanted-machine.js'
import type { WorkContext } from '../machine/work-context.js'
import { homeOf, withHome, withoutHome } from '../ownership/home.js'
import type { World } from '../world.js'
import { defineStep, machineArgs } from './step.js'

class MigrationFailed extends UserFacingError {
  readonly code = 'migration-failed'
  readonly exitCode = 1
}

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
  async done({ machine, to }, world, context) {
    const { host, mark } = await getOwned(machine, world, context)
    return host === to && homeOf(mark) !== to
  },
  guard: ({ machine }, world, context) => guardPause(machine, world, context),
  async run({ machine, to }, world, context) {
    await settle(await getOwned(machine, world, context), world, context)
    const owned = await getOwned(machine, world, context)
    if (owned.host !== to) await move(owned, to, world, context)
    await forget(machine, world, context)
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
  async done({ machine }, world, context) {
    const { host, mark } = await getOwned(machine, world, context)
    return homeOf(mark) !== host
  },
  run: ({ machine }, world, context) => forget(machine, world, context),
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: withoutHome(mark) })),
})

async function forget(machine: string, world: World, context: WorkContext): Promise<void> {
  const change = ({ host, mark, config: { options } }: OwnedVm) =>
    homeOf(mark) === host ? { description: marked(options.description, withoutHome(mark), context.desired) } : undefined
  await setOwned(machine, change, world, context)
}

async function move(owned: OwnedVm, to: string, world: World, context: WorkContext): Promise<void> {
  const machine = owned.mark.node
  const remember = ({ host, mark, config: { options } }: OwnedVm) =>
    homeOf(mark) === undefined
      ? { description: marked(options.description, withHome(mark, host), context.desired) }
      : undefined
  const { isRunning, localVolumes } = await askMove(owned, to, world, context)
  await setOwned(machine, remember, world, context)
  if (isRunning && owned.mark.role === 'controlplane') await handOverLeadership(machine, world, context)
  context.assertLease()
  const options = { target: to, online: isRunning, withLocalDisks: localVolumes.length > 0 }
  const task = await world.proxmox.machines.migrate(owned, options, context.signal)
  await world.proxmox.tasks.wait(task, context.signal, taskProgress(context))
  if (task.upid.includes(':hamigrate:')) await awaitManager(machine, to, world, context)
  const { host } = await getOwned(machine, world, context)
  if (host === to) return
  throw new MigrationFailed(`${machine} is still on ${host}, though Proxmox reports that it was moved to ${to}.`, {
    where: `Proxmox host ${host}, VM ${owned.vmid}`,
    fix: 'Look at the task log of the VM in Proxmox, then run the same command again.',
  })
}
