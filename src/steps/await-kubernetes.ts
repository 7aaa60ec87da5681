import { plannedEtcd } from './bootstrap-etcd.js'
import { kubernetesApi } from './kubernetes-endpoints.js'
import { defineStep } from './step.js'
import { waitUntil } from './waiting.js'

const minute = 60_000

/** Kubernetes answers at all: from here on, addons and nodes can be worked on. */
export const awaitKubernetes = defineStep<Record<string, never>>({
  kind: 'await-kubernetes',
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
        intervalMs: 1000,
        fix: `ichor health names the check that does not pass yet. Running ichor up again goes on from here.`,
      },
      async () => (await kubernetesApi(world, context)).version(context.signal),
      world,
      context,
    )
    context.note(`Kubernetes ${version}`)
  },
  effect: (_args, observed, desired) => ({
    ...observed,
    ...(observed.etcd === undefined ? { etcd: plannedEtcd(desired) } : {}),
    kubernetes: observed.kubernetes ?? { version: desired.cluster.kubernetesVersion, nodes: [], addons: [] },
  }),
})
