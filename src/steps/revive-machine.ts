import { isCrashed } from '../machine/crashed.js'
import { changeMachine } from '../machine/observed-change.js'
import { getOwned } from '../machine/owned-vm.js'
import { hasStatus, switchPower } from '../machine/switch-power.js'
import type { World } from '../world.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

/** QEMU has stopped the VM after an error: nothing runs in it, and only a cold start helps. */
export const reviveMachine = defineStep({
  kind: 'revive-machine',
  args: machineArgs,
  title: ({ machine }) => `stop and start ${machine}`,
  changes: true,
  disruptive: true,
  async done({ machine }, world, context) {
    const status = await findQmpStatus(machine, world, context)
    return status === 'running'
  },
  async run({ machine }, world, context) {
    const status = await findQmpStatus(machine, world, context)
    if (isCrashed(status)) {
      context.assertLease()
      await switchPower(await getOwned(machine, world, context), 'stopped', world, context)
    }
    if (await hasStatus(machine, 'running', world, context)) return
    context.assertLease()
    await switchPower(await getOwned(machine, world, context), 'running', world, context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, { status: 'running', talos: { reach: 'silent', reason: 'booting' } }),
})

async function findQmpStatus(machine: string, world: World, context: StepContext): Promise<string | undefined> {
  const owned = await getOwned(machine, world, context)
  return (await world.proxmox.machines.findStatus(owned, context.signal))?.qmpStatus
}
