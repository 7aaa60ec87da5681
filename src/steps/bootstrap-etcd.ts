import type { Desired } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { ObservedEtcd } from '../observe/observed.js'
import type { Mark } from '../ownership/mark.js'
import { writeMark } from '../ownership/mark.js'
import type { World } from '../world.js'
import { findAddress } from './node-address.js'
import { withMachine } from './observed-change.js'
import { getOwned, setOwned } from './owned-vm.js'
import { defineStep, type StepContext } from './step.js'
import { waitUntil } from './waiting.js'

const minute = 60_000

/** etcd begins to exist, once in the life of the cluster; written into mark and secrets before it is asked for. */
export const bootstrapEtcd = defineStep<{ machine: string; isThere?: boolean }>({
  kind: 'bootstrap-etcd',
  title: ({ machine, isThere }) =>
    isThere ? `write down that etcd was bootstrapped on ${machine}` : `bootstrap etcd on ${machine}`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const { mark } = await getOwned(machine, world, context)
    return mark.bootstrap !== 'asked' && (await hasMembers(machine, world, context))
  },
  async guard({ machine }, world, context) {
    const remembered = (await world.secrets.find())?.memory.bootstrapped ?? false
    const { mark } = await getOwned(machine, world, context)
    const isGivenUp = context.desired.cluster.newEtcd === true
    if (remembered && mark.bootstrap !== 'asked' && !isGivenUp) throw neverTwice(machine)
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
  effect: ({ machine }, observed, desired) => ({
    ...withMachine(observed, desired, machine, ({ mark }) => ({ mark: { ...mark, bootstrap: 'done' as const } })),
    secrets: { ...observed.secrets, bootstrapped: true },
    etcd: observed.etcd ?? plannedEtcd(desired),
  }),
})

async function bootstrap(machine: string, world: World, context: StepContext): Promise<void> {
  await writeBootstrap(machine, 'asked', world, context)
  await world.secrets.remember({ bootstrapped: true })
  context.assertLease()
  await waitUntil(
    wait(machine, 'to accept the bootstrap'),
    async () =>
      world.talos
        .node(await target(machine, world, context))
        .bootstrap({ recoverEtcd: false, skipHashCheck: false }, context.signal),
    world,
    context,
  )
}

async function hasMembers(machine: string, world: World, context: StepContext): Promise<boolean> {
  return (await members(machine, world, context).catch(() => [])).length > 0
}

/** etcd as it is seen once every control plane has joined. */
export function plannedEtcd({ machines, cluster }: Desired): ObservedEtcd {
  const names = machines.filter(({ machine }) => machine.role === 'controlplane').map(({ machine }) => machine.name)
  return {
    members: names.map((name) => ({ id: name, hostname: name, peerUrls: [], isLearner: false })),
    healthy: names,
    leader: cluster.bootstrapMachine,
  }
}

/** What `up` says when etcd was there once and no control plane holds it any more. */
export function neverTwice(machine: string): PlanRefused {
  return new PlanRefused(
    'This cluster had an etcd before, and none of its control planes holds it any more. A second, empty one would lose everything.',
    {
      where: `machine ${machine}`,
      fix: 'Bring the old control plane back. If ichor destroy was interrupted, run it again first. With a snapshot of etcd: ichor up --until vms makes the machines, and talosctl bootstrap --recover-from brings it in; ichor restore, which does both, is not built yet. If nothing is worth keeping, ichor up --new-etcd starts over.',
    },
  )
}

async function target(machine: string, world: World, context: StepContext) {
  const address = await findAddress(machine, world, context)
  if (address === undefined) throw new Error(`no address of ${machine} is known yet`)
  return { machine, address }
}

async function members(machine: string, world: World, context: StepContext) {
  return world.talos.node(await target(machine, world, context)).etcd.members({ local: true }, context.signal)
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
        : { description: writeMark(config.options.description ?? '', { ...mark, bootstrap }) },
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
    fix: `ichor logs ${machine} etcd shows more. Running ichor up again goes on from here.`,
  }
}
