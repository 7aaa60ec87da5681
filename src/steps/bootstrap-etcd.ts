import { z } from 'zod'
import { ifSeen, seen } from '../cluster/seen.js'
import { PlanRefused } from '../errors.js'
import { localMembers } from '../health/etcd-absence.js'
import { guardGivenUp } from '../machine/etcd-guards.js'
import { marked } from '../machine/marked.js'
import { neverTwice } from '../machine/never-twice.js'
import { findAddress, getAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { getOwned, setOwned } from '../machine/owned-vm.js'
import { plannedEtcd } from '../machine/planned-etcd.js'
import { waitUntil } from '../machine/wait-until.js'
import { findWanted } from '../machine/wanted-machine.js'
import type { Mark } from '../ownership/mark.js'
import type { World } from '../world.js'
import { defineStep, type StepContext } from './step.js'

const minute = 60_000

/** etcd begins to exist, once in the life of the cluster; written into mark and secrets before it is asked for. */
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
    await (isGivenUp ? guardGivenUp(world, context) : guardNoOther(machine, world, context))
  },
  async run({ machine, isThere }, world, context) {
    if (!isThere && !(await hasMembers(machine, world, context))) await bootstrap(machine, world, context)
    await waitUntil(
      wait(machine, 'to have its etcd member'),
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

/** Every other control plane that was there before this run says in this moment that it has no etcd. */
async function guardNoOther(machine: string, world: World, context: StepContext): Promise<void> {
  const others = context.observed.machines.filter(
    ({ name, mark, status }) =>
      name !== machine &&
      mark.role === 'controlplane' &&
      (mark.stage !== 'making' || status === 'running') &&
      findWanted(context.desired, name) !== undefined,
  )
  for (const { name } of others) {
    const found = await members(name, world, context).catch(() => undefined)
    if (found !== undefined && found.length === 0) continue
    throw new PlanRefused(
      found === undefined
        ? `Whether ${name} holds etcd cannot be seen, so that no other one is made.`
        : `${name} holds etcd already: no other one is made.`,
      { where: `machine ${name}`, fix: 'Run the same command again: it looks at every control plane first.' },
    )
  }
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

async function hasMembers(machine: string, world: World, context: StepContext): Promise<boolean> {
  return (await members(machine, world, context).catch(() => [])).length > 0
}

async function members(machine: string, world: World, context: StepContext) {
  const address = await findAddress(machine, world, context)
  if (address === undefined) throw new Error(`no address of ${machine} is known yet`)
  return localMembers(world.talos.node({ machine, address }), context.signal)
}

async function someMembers(machine: string, world: World, context: StepContext) {
  const found = await members(machine, world, context)
  return found.length > 0 ? found : undefined
}

async function writeBootstrap(
  machine: string,
  bootstrap: NonNullable<Mark['bootstrap']>,
  world: World,
  context: StepContext,
): Promise<void> {
  await setOwned(
    machine,
    ({ mark, config }) =>
      mark.bootstrap === bootstrap
        ? undefined
        : { description: marked(config.options.description, { ...mark, bootstrap }, context.desired) },
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
    fix: `ichor logs ${machine} etcd shows more. Running ichor up again continues from here.`,
    machine,
  }
}
