import { z } from 'zod'
import { ifSeen, seen } from '../cluster/seen.js'
import { guardNoOther, hasMembers, someMembers, writeBootstrap } from '../etcd/etcd-birth.js'
import { guardGivenUp } from '../etcd/etcd-guards.js'
import { neverTwice } from '../etcd/never-twice.js'
import { plannedEtcd } from '../etcd/planned-etcd.js'
import { getAddress } from '../node/node-address.js'
import { changeMachine } from '../vm/observed-change.js'
import { getOwned } from '../vm/owned-vm.js'
import { waitUntil } from '../work/wait-until.js'
import { findWanted } from '../work/wanted-machine.js'
import { defineStep, type StepContext } from './step.js'

const minute = 60_000
/** The minimum time from the bootstrap of etcd until it responds. */
const etcdStartsMs = 2000

/** Bootstraps etcd, once per cluster. Recorded in the mark and the secrets before the call. */
export const bootstrapEtcd = defineStep({
  kind: 'bootstrap-etcd',
  args: z.strictObject({ machine: z.string(), isThere: z.boolean().optional() }),
  title: ({ machine, isThere }) =>
    isThere ? `note that etcd was bootstrapped on ${machine}` : `bootstrap etcd on ${machine}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine }, context) {
    const { mark } = await getOwned(machine, context)
    return mark.bootstrap !== 'asked' && (await hasMembers(machine, context))
  },
  async guard({ machine, isThere }, context) {
    if (isThere) return
    const remembered = (await context.secrets.find())?.memory.bootstrapped ?? false
    const { mark } = await getOwned(machine, context)
    const isGivenUp = context.desired.cluster.intent.newEtcd === true
    if (remembered && mark.bootstrap !== 'asked' && !isGivenUp) throw neverTwice(machine)
    await (isGivenUp ? guardGivenUp(context) : guardNoOther(machine, wantedOnes(context), context))
  },
  async run({ machine, isThere }, context) {
    if (!isThere && !(await hasMembers(machine, context))) {
      await bootstrap(machine, context)
      await context.clock.sleep(etcdStartsMs, context.signal)
    }
    await waitUntil(
      { ...wait(machine, 'to have its etcd member'), intervalMs: 2000 },
      () => someMembers(machine, context),
      context,
    )
    await writeBootstrap(machine, 'done', context)
  },
  effect: ({ machine }, model, desired) => {
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: { ...mark, bootstrap: 'done' } }))
    model.change(({ secrets, etcd }) => ({
      secrets: { ...secrets, bootstrapped: true },
      ...(ifSeen(etcd) === undefined ? { etcd: seen(plannedEtcd(desired)) } : {}),
    }))
  },
})

function wantedOnes({ observed, desired }: StepContext) {
  return observed.machines.filter(({ name }) => findWanted(desired, name) !== undefined)
}

async function bootstrap(machine: string, context: StepContext): Promise<void> {
  await writeBootstrap(machine, 'asked', context)
  await context.secrets.remember({ bootstrapped: true })
  await waitUntil(
    wait(machine, 'to accept the bootstrap'),
    async () => {
      context.assertLease()
      const address = await getAddress(machine, context)
      return context.talos
        .node({ machine, address })
        .bootstrap({ recoverEtcd: false, skipHashCheck: false }, context.signal)
    },
    context,
  )
}

function wait(machine: string, what: string) {
  return {
    forWhat: `${machine} ${what}`,
    where: `machine ${machine}`,
    timeoutMs: 10 * minute,
    intervalMs: 500,
    fix: `ichor logs ${machine} etcd shows more. Run ichor up again to continue.`,
    machine,
  }
}
