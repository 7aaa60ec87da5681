import { z } from 'zod'
import { ifSeen, seen } from '../cluster/seen.js'
import { type PlanRefused, reasonOf } from '../errors.js'
import { guardNoOther, hasMembers, someMembers, writeBootstrap } from '../etcd/etcd-birth.js'
import { awaitsEtcd } from '../etcd/etcd-waits.js'
import { plannedEtcd } from '../etcd/planned-etcd.js'
import { findRecovery, goneFor, rememberRecovery, restoreOf } from '../etcd/recovery-memory.js'
import { noRecordOfRestore } from '../findings/refusals/backups.js'
import { oldEtcdRuns } from '../findings/refusals/etcd.js'
import { getAddress } from '../node/node-address.js'
import { changeMachine } from '../vm/observed-change.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep, type StepContext } from './step.js'

const minute = 60_000

/** Restores etcd from a snapshot on one control plane; the others join it. */
export const recoverEtcd = defineStep({
  kind: 'recover-etcd',
  args: z.strictObject({ machine: z.string(), snapshot: z.string() }),
  title: ({ machine, snapshot }) => `recover etcd on ${machine} from ${snapshot}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  done: async (_args, context) => (await findRecovery(context))?.stage === 'done',
  async guard({ machine }, context) {
    const recovery = await findRecovery(context)
    if (recovery === undefined) throw notBegun(machine)
    const isThere = await hasMembers(machine, context)
    if (isThere && recovery.stage === 'recovering') return
    if (isThere) throw stillThere(machine)
    await guardNoOther(machine, context.observed.machines, context)
    await guardFormerMembers(context)
  },
  async run({ machine }, context) {
    if (!(await hasMembers(machine, context))) await recover(machine, context)
    await waitUntil(wait(machine, 'to have its etcd member'), () => someMembers(machine, context), context)
    await writeBootstrap(machine, 'done', context)
    await rememberRecovery('done', context)
  },
  effect: ({ machine, snapshot }, model, desired) => {
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: { ...mark, bootstrap: 'done' } }))
    const run = desired.cluster.restore?.run ?? ''
    model.change(({ secrets, etcd }) => ({
      secrets: {
        ...secrets,
        bootstrapped: true,
        recovery: { snapshot, stage: 'done', run, gone: goneFor(desired, secrets.recovery) },
      },
      ...(ifSeen(etcd) === undefined ? { etcd: seen(plannedEtcd(desired)) } : {}),
    }))
  },
})

/** Every attempt starts with the upload: a node that rebooted in between has lost it. */
async function recover(machine: string, context: StepContext): Promise<void> {
  const { skipHashCheck } = restoreOf(context)
  const { snapshots } = context
  if (snapshots === undefined) throw new Error('there is no snapshot to recover from')
  await rememberRecovery('recovering', context)
  await waitUntil(
    wait(machine, 'to take the snapshot'),
    async () => {
      const node = context.talos.node({ machine, address: await getAddress(machine, context) })
      if (await hasMembers(machine, context)) return 'already'
      if (!(await awaitsEtcd(node, context.signal))) return undefined
      context.assertLease()
      await node.etcd.recover(snapshots.read(context.signal), context.signal)
      context.assertLease()
      return node.bootstrap({ recoverEtcd: true, skipHashCheck }, context.signal)
    },
    context,
    isRejected,
  )
}

/** A retry with the same bytes cannot succeed. */
function isRejected(thrown: unknown): boolean {
  return /error recovering from snapshot/.test(reasonOf(thrown))
}

/** Former members without a visible VM may run elsewhere: one that responds is not lost. */
async function guardFormerMembers(context: StepContext): Promise<void> {
  const known = new Set([
    ...context.observed.machines.map(({ name }) => name),
    ...context.desired.machines.map(({ machine }) => machine.name),
  ])
  for (const { name, addresses } of restoreOf(context).members.filter((member) => !known.has(member.name))) {
    for (const address of addresses) {
      const patience = AbortSignal.any([context.signal, AbortSignal.timeout(3000)])
      const status = await context.talos
        .node({ machine: name, address })
        .etcd.status(patience)
        .catch(() => undefined)
      if (status !== undefined) throw answers(name, address)
    }
  }
}

function answers(name: string, address: string): PlanRefused {
  return oldEtcdRuns.refuse(`${name} runs the old etcd at ${address}, and its VM cannot be seen.`, {
    subject: { kind: 'machine', name },
    where: `machine ${name}`,
    fix: `Stop it, or put its VM back into the pool of the cluster; then run the same command again.`,
  })
}

function stillThere(machine: string): PlanRefused {
  return oldEtcdRuns.refuse(`${machine} still has the old etcd: nothing is recovered.`, {
    subject: { kind: 'machine', name: machine },
    where: `machine ${machine}`,
    fix: 'Run the same command again: it checks every control plane first.',
  })
}

function notBegun(machine: string): PlanRefused {
  return noRecordOfRestore.refuse('The secrets have no record that this snapshot is being restored.', {
    subject: { kind: 'machine', name: machine },
    where: `machine ${machine}`,
    fix: 'Another restore was started in the meantime. Check ichor status, and run the command again.',
  })
}

function wait(machine: string, what: string) {
  return {
    forWhat: `${machine} ${what}`,
    where: `machine ${machine}`,
    timeoutMs: 15 * minute,
    intervalMs: 500,
    fix: `ichor logs ${machine} etcd shows more. Run the same command again to continue.`,
    machine,
  }
}
