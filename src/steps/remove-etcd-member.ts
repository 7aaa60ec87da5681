import { majority } from '../cluster/quorum.js'
import { PlanRefused } from '../errors.js'
import { askEtcdNow } from './etcd-now.js'
import { defineStep } from './step.js'

/** A member whose machine is gone for ever is taken off the list by a healthy one: a new one of that name can then join. */
export const removeEtcdMember = defineStep<{ machine: string; member: string }>({
  kind: 'remove-etcd-member',
  title: ({ machine }) => `take the lost ${machine} out of etcd`,
  changes: true,
  disruptive: false,
  async done({ machine, member }, world, context) {
    const { members } = await askEtcdNow(world, context, machine)
    return members.length > 0 && members.every(({ id }) => id !== member)
  },
  async guard({ machine }, world, context) {
    const { members, healthy } = await askEtcdNow(world, context)
    if (!healthy.has(machine) && healthy.size >= majority(members.length)) return
    const problem = healthy.has(machine)
      ? `The etcd member of ${machine} answers: it is not lost.`
      : `etcd has no majority: ${healthy.size} of ${members.length} members are healthy, and ${majority(members.length)} are needed to take ${machine} out.`
    throw new PlanRefused(problem, {
      where: `machine ${machine}`,
      fix: 'Bring another control plane back first. With a snapshot of etcd, talosctl bootstrap --recover-from brings it back; ichor restore is not built yet.',
    })
  },
  async run({ machine, member }, world, context) {
    const { respondingMember } = await askEtcdNow(world, context, machine)
    if (respondingMember === undefined) throw new Error('no healthy etcd member answers')
    context.assertLease()
    await respondingMember.etcd.removeMember(member, context.signal)
  },
  effect: ({ member }, observed) => ({
    ...observed,
    ...(observed.etcd === undefined
      ? {}
      : { etcd: { ...observed.etcd, members: observed.etcd.members.filter(({ id }) => id !== member) } }),
  }),
})
