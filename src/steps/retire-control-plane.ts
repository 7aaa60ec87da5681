import { changeMachine } from '../machine/observed-change.js'
import { findOwned, getOwned, setOwned } from '../machine/owned-vm.js'
import { expectNoEtcd } from '../machine/planned-etcd.js'
import { guardClearing } from '../machine/recovery-memory.js'
import { hasStatus, switchPower } from '../machine/switch-power.js'
import { defineStep, machineArgs } from './step.js'

/** A control plane that does not respond cannot wipe itself: it is switched off and no longer starts with its host. */
export const retireControlPlane = defineStep({
  kind: 'retire-control-plane',
  args: machineArgs,
  title: ({ machine }) => `switch ${machine} off permanently`,
  changes: true,
  disruptive: true,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    if (owned === undefined) return true
    return owned.config.options.onboot !== '1' && (await hasStatus(machine, 'stopped', world, context))
  },
  guard: ({ machine }, world, context) => guardClearing(machine, world, context),
  async run({ machine }, world, context) {
    await setOwned(
      machine,
      ({ config: { options } }) => (options.onboot === '1' ? { onboot: 0 } : undefined),
      world,
      context,
    )
    if (await hasStatus(machine, 'stopped', world, context)) return
    const owned = await getOwned(machine, world, context)
    context.assertLease()
    await switchPower(owned, 'stopped', world, context)
  },
  effect: ({ machine }, model, desired) => {
    changeMachine(model, desired, machine, { status: 'stopped', talos: { reach: 'off' } })
    expectNoEtcd(model, desired, machine)
  },
})
