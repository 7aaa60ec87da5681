import { ifSeen, seen } from '../cluster/seen.js'
import { kubernetesApi } from '../machine/kubernetes-api.js'
import { neverTwice } from '../machine/never-twice.js'
import { findAddress } from '../machine/node-address.js'
import { expectWantedEtcd } from '../machine/planned-etcd.js'
import { waitUntil } from '../machine/wait-until.js'
import type { World } from '../world.js'
import { defineStep, noArgs, type StepContext } from './step.js'

const minute = 60_000

/** The Kubernetes API responds: addons and nodes can be handled from here on. */
export const awaitKubernetes = defineStep({
  kind: 'await-kubernetes',
  args: noArgs,
  title: () => 'wait for the Kubernetes API',
  changes: false,
  disruptive: false,
  done: async (_args, world, context) =>
    (await (await kubernetesApi(world, context)).version(context.signal).catch(() => undefined)) !== undefined,
  async run(_args, world, context) {
    const version = await waitUntil(
      {
        forWhat: 'the Kubernetes API to answer',
        where: context.desired.cluster.endpoint ?? 'the control planes',
        timeoutMs: 15 * minute,
        intervalMs: 500,
        fix: `ichor health names the check that does not pass yet. Run ichor up again to continue.`,
      },
      async () => (await kubernetesApi(world, context)).version(context.signal),
      world,
      context,
    ).catch((thrown) => refuseIfEtcdIsLost(thrown, world, context))
    context.note(`Kubernetes ${version}`)
  },
  effect: (_args, model, desired) => {
    if (ifSeen(model.around.etcd) === undefined) expectWantedEtcd(model, desired)
    model.change(({ kubernetes }) =>
      ifSeen(kubernetes) === undefined
        ? { kubernetes: seen({ version: desired.cluster.kubernetesVersion, nodes: [], addons: [] }) }
        : {},
    )
  },
})

/** Waiting is pointless if etcd was bootstrapped before and no control plane runs it any more. */
async function refuseIfEtcdIsLost(thrown: unknown, world: World, context: StepContext): Promise<never> {
  const isMade = (await world.secrets.find())?.memory.bootstrapped ?? false
  const controlPlanes = context.observed.machines.filter(({ mark }) => mark.role === 'controlplane')
  const running = await Promise.all(controlPlanes.map(({ name }) => mayRunEtcd(name, world, context)))
  throw isMade && !running.includes(true) ? neverTwice(context.desired.cluster.bootstrapMachine) : thrown
}

/** A machine that does not respond may run it. */
async function mayRunEtcd(machine: string, world: World, context: StepContext): Promise<boolean> {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return true
  const services = await world.talos
    .node({ machine, address })
    .services(context.signal)
    .catch(() => undefined)
  return services === undefined || services.some(({ id, state }) => id === 'etcd' && state === 'Running')
}
