import { ifSeen, seen } from '../cluster/seen.js'
import { controlPlaneNames } from '../etcd/etcd-guards.js'
import { neverTwice } from '../etcd/never-twice.js'
import { expectWantedEtcd } from '../etcd/planned-etcd.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { findAddress } from '../node/node-address.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep, noArgs, type StepContext } from './step.js'

const minute = 60_000

/** The Kubernetes API responds: addons and nodes can be handled from here on. */
export const awaitKubernetes = defineStep({
  kind: 'await-kubernetes',
  args: noArgs,
  title: () => 'wait for the Kubernetes API',
  changes: false,
  disruptive: false,
  done: async (_args, context) =>
    (await (await kubernetesApi(context)).version(context.signal).catch(() => undefined)) !== undefined,
  async run(_args, context) {
    const version = await waitUntil(
      {
        forWhat: 'the Kubernetes API to answer',
        where: context.desired.cluster.endpoint ?? 'the control planes',
        timeoutMs: 15 * minute,
        intervalMs: 500,
        fix: `ichor health names the check that does not pass yet. Run ichor up again to continue.`,
      },
      async () => (await kubernetesApi(context)).version(context.signal),
      context,
    ).catch((thrown) => refuseIfEtcdIsLost(thrown, context))
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
async function refuseIfEtcdIsLost(thrown: unknown, context: StepContext): Promise<never> {
  const isMade = (await context.secrets.find())?.memory.bootstrapped ?? false
  const running = await Promise.all([...controlPlaneNames(context)].map((name) => mayRunEtcd(name, context)))
  throw isMade && !running.includes(true) ? neverTwice(context.desired.cluster.bootstrapMachine) : thrown
}

/** A machine that does not respond may run it. */
async function mayRunEtcd(machine: string, context: StepContext): Promise<boolean> {
  const address = await findAddress(machine, context)
  if (address === undefined) return true
  const services = await context.talos
    .node({ machine, address })
    .services(context.signal)
    .catch(() => undefined)
  return services === undefined || services.some(({ id, state }) => id === 'etcd' && state === 'Running')
}
