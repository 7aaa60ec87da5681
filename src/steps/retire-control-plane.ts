import { expectNoEtcd } from '../etcd/planned-etcd.js'
import { guardClearing } from '../etcd/recovery-memory.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, getOwned, setOwned } from '../vm/owned-vm.js'
import { hasStatus, switchPower } from '../vm/switch-power.js'
import { defineStep, machineArgs } from './step.js'

/** A control plane that does not respond cannot wipe itself: it is switched off and no longer starts with its host. */
export const retireControlPlane = defineStep({
  kind: 'retire-control-plane',
  args: machineArgs,
  title: ({ machine }) => `switch ${machine} off permanently`,
  changes: true,
  disruptive: true,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    if (owned === undefined) return true
    return owned.config.options.onboot !== '1' && (await hasStatus(machine, 'stopped', context))
  },
  guard: ({ machine }, context) => guardClearing(machine, context),
  async run({ machine }, context) {
    await setOwned(machine, ({ config: { options } }) => (options.onboot === '1' ? { onboot: 0 } : undefined), context)
    if (await hasStatus(machine, 'stopped', context)) return
    const owned = await getOwned(machine, context)
    context.assertLease()
    await switchPower(owned, 'stopped', context)
  },
  effect: ({ machine }, model, desired) => {
    changeMachine(model, desired, machine, { status: 'stopped', talos: { reach: 'off' } })
    expectNoEtcd(model, desired, machine)
  },
})
