import { guardRemoval } from '../etcd/etcd-guards.js'
import { askEtcdNow, findMemberNow } from '../etcd/etcd-now.js'
import { withoutMember } from '../etcd/planned-etcd.js'
import { defineStep, machineArgs } from './step.js'

/** A healthy member removes one that is lost or does not run by its ID, so that a new machine with that name can join. */
export const removeEtcdMember = defineStep({
  kind: 'remove-etcd-member',
  args: machineArgs,
  title: ({ machine }) => `remove the member of ${machine} from etcd`,
  changes: true,
  disruptive: false,
  async done({ machine }, context) {
    const now = await askEtcdNow(context)
    return now.respondingMember !== undefined && findMemberNow(now, machine, context) === undefined
  },
  guard: ({ machine }, context) => guardRemoval(machine, context),
  async run({ machine }, context) {
    const now = await askEtcdNow(context)
    const member = findMemberNow(now, machine, context)
    if (now.respondingMember === undefined || member === undefined) throw new Error('no healthy etcd member answers')
    context.note(`member ${member.id}`)
    context.assertLease()
    await now.respondingMember.etcd.removeMember(member.id, context.signal)
  },
  effect: ({ machine }, model) => model.change(({ etcd }) => ({ etcd: withoutMember(etcd, machine) })),
})
