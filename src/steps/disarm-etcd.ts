import { guardIdentity } from '../node/guard-identity.js'
import { getAddress } from '../node/node-address.js'
import { defineStep, machineArgs } from './step.js'

/** Clears the alarms of all members, through one of them. An alarm of corrupt data must stay while its member is there, so then none is cleared. */
export const disarmEtcd = defineStep({
  kind: 'disarm-etcd',
  args: machineArgs,
  title: ({ machine }) => `clear the alarms of etcd, through ${machine}`,
  changes: true,
  disruptive: false,
  async done({ machine }, context) {
    const { etcd } = context.talos.node({ machine, address: await getAddress(machine, context) })
    return (await etcd.alarms(context.signal)).length === 0
  },
  async guard({ machine }, context) {
    await guardIdentity(machine, await getAddress(machine, context), context)
  },
  async run({ machine }, context) {
    const { etcd } = context.talos.node({ machine, address: await getAddress(machine, context) })
    const raised = await etcd.alarms(context.signal)
    const members = new Set((await etcd.members({ local: false }, context.signal)).map(({ id }) => id))
    if (raised.some(({ alarm, member }) => alarm === 'corrupt' && members.has(member)))
      throw new Error('the data of a member is corrupt, and clearing the alarms would hide that')
    context.assertLease()
    await etcd.disarmAlarms(context.signal)
  },
  effect: () => undefined,
})
