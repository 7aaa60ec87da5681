import { z } from 'zod'
import { ifSeen, seen } from '../cluster/seen.js'
import { guardNoOther, hasMembers, someMembers, writeBootstrap } from '../machine/etcd-birth.js'
import { guardGivenUp } from '../machine/etcd-guards.js'
import { neverTwice } from '../machine/never-twice.js'
import { getAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { getOwned } from '../machine/owned-vm.js'
import { plannedEtcd } from '../machine/planned-etcd.js'
import { waitUntil } from '../machine/wait-until.js'
import { findWanted } from '../machine/wanted-machine.js'
import type { World } from '../world.js'
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
  async done({ machine }, world, context) {
    const { mark } = await getOwned(machine, world, context)
    return mark.bootstrap !== 'asked' && (await hasMembers(machine, world, context))
  },
  async guard({ machine, isThere }, world, context) {
    if (isThere) return
    const remembered = (await world.secrets.find())?.memory.bootstrapped ?? false
    const { mark } = await getOwned(machine, world, context)
    const isGivenUp = context.desired.cluster.newEtcd === true
    if (remembered && mark.bootstrap !== 'asked' && !isGivenUp) throw neverTwice(machine)
    await (isGivenUp ? guardGivenUp(world, context) : guardNoOther(machine, wantedOnes(context), world, context))
  },
  async run({ machine, isThere }, world, context) {
    if (!isThere && !(await hasMembers(machine, world, context))) {
      await bootstrap(machine, world, context)
      await world.clock.sleep(etcdStartsMs, context.signal)
    }
    await waitUntil(
      { ...wait(machine, 'to have its etcd member'), intervalMs: 2000 },
      () => someMembers(machine, world, context),
      world,
      context,
    )
    await writeBootstrap(machine, 'done', world, context)
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

async function bootstrap(machine: string, world: World, context: StepContext): Promise<void> {
  await writeBootstrap(machine, 'asked', world, context)
  await world.secrets.remember({ bootstrapped: true })
  await waitUntil(
    wait(machine, 'to accept the bootstrap'),
    async () => {
      context.assertLease()
      const address = await getAddress(machine, world, context)
      return world.talos
        .node({ machine, address })
        .bootstrap({ recoverEtcd: false, skipHashCheck: false }, context.signal)
    },
    world,
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
