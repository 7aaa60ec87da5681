import { isCrashed } from '../vm/crashed.js'
import { changeMachine } from '../vm/observed-change.js'
import { getOwned } from '../vm/owned-vm.js'
import { hasStatus, switchPower } from '../vm/switch-power.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

/** QEMU has stopped the VM after an error: nothing runs in it, and only a cold start helps. */
export const reviveMachine = defineStep({
  kind: 'revive-machine',
  args: machineArgs,
  title: ({ machine }) => `stop and start ${machine}`,
  changes: true,
  disruptive: true,
  writesVm: true,
  async done({ machine }, context) {
    const status = await findQmpStatus(machine, context)
    return status === 'running'
  },
  async run({ machine }, context) {
    const status = await findQmpStatus(machine, context)
    if (isCrashed(status)) {
      context.assertLease()
      await switchPower(await getOwned(machine, context), 'stopped', context)
    }
    if (await hasStatus(machine, 'running', context)) return
    context.assertLease()
    await switchPower(await getOwned(machine, context), 'running', context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, { status: 'running', talos: { reach: 'silent', reason: 'booting' } }),
})

async function findQmpStatus(machine: string, context: StepContext): Promise<string | undefined> {
  const owned = await getOwned(machine, context)
  return (await context.proxmox.machines.findStatus(owned, context.signal))?.qmpStatus
}
