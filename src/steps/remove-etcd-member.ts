import { guardRemoval } from '../machine/etcd-guards.js'
import { askEtcdNow, findMemberNow } from '../machine/etcd-now.js'
import { withoutMember } from '../machine/planned-etcd.js'
import { defineStep, machineArgs } from './step.js'

/** A healthy member removes a lost one by its ID, so that a new machine with that name can join. */
export const removeEtcdMember = defineStep({
  kind: 'remove-etcd-member',
  args: machineArgs,
  title: ({ machine }) => `remove the lost ${machine} from etcd`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const now = await askEtcdNow(world, context)
    return now.respondingMember !== undefined && findMemberNow(now, machine, context) === undefined
  },
  guard: ({ machine }, world, context) => guardRemoval(machine, world, context),
  async run({ machine }, world, context) {
    const now = await askEtcdNow(world, context)
    const member = findMemberNow(now, machine, context)
    if (now.respondingMember === undefined || member === undefined) throw new Error('no healthy etcd member answers')
    context.note(`member ${member.id}`)
    context.assertLease()
    await now.respondingMember.etcd.removeMember(member.id, context.signal)
  },
  effect: ({ machine }, model) => model.change(({ etcd }) => ({ etcd: withoutMember(etcd, machine) })),
})
