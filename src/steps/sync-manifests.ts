import { z } from 'zod'
import { seen } from '../cluster/seen.js'
import type { KubernetesApi, KubernetesObject } from '../kubernetes/port.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { getAddress } from '../node/node-address.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep, type StepContext } from './step.js'

const minute = 60_000

/** Talos does not update the manifests that it applied at bootstrap, so its current ones are applied here. */
export const syncManifests = defineStep({
  kind: 'sync-manifests',
  /** The control plane that provides them, and the kube-proxy image in them, if any. */
  args: z.strictObject({ controlPlane: z.string(), proxy: z.string().optional() }),
  title: () => 'apply the bootstrap manifests of Talos',
  changes: true,
  disruptive: true,
  inUpgrade: 'after',
  done: async ({ proxy }, context) =>
    proxy !== undefined && (await runsProxy(proxy, await kubernetesApi(context), context)),
  async run({ controlPlane, proxy }, context) {
    const api = await kubernetesApi(context)
    const manifests = await manifestsOf(controlPlane, context)
    context.assertLease()
    await api.apply(manifests, { fieldManager: 'talos', force: true }, context.signal)
    if (proxy === undefined) return
    await waitUntil(
      {
        forWhat: 'kube-proxy to run its new version on every node',
        where: 'DaemonSet kube-system/kube-proxy',
        timeoutMs: 10 * minute,
        intervalMs: 1000,
        fix: 'kubectl -n kube-system rollout status daemonset kube-proxy shows more.',
      },
      async () => ((await runsProxy(proxy, api, context)) ? true : undefined),
      context,
    )
  },
  effect: ({ proxy }, model) =>
    model.change(({ kubernetes }) =>
      proxy === undefined || !kubernetes.seen || kubernetes.value === undefined
        ? {}
        : { kubernetes: seen({ ...kubernetes.value, proxyImage: proxy }) },
    ),
})

async function manifestsOf(machine: string, context: StepContext): Promise<KubernetesObject[]> {
  const node = context.talos.node({ machine, address: await getAddress(machine, context) })
  const found = await node.resources.list('Manifests.kubernetes.talos.dev', 'controlplane', context.signal)
  return found.flatMap(({ spec }) => (Array.isArray(spec) ? spec.filter(isObject) : []))
}

function isObject(value: unknown): value is KubernetesObject {
  if (typeof value !== 'object' || value === null) return false
  return 'apiVersion' in value && 'kind' in value && 'metadata' in value
}

/** On all nodes, as the DaemonSet reports. */
async function runsProxy(image: string, api: KubernetesApi, { signal }: StepContext): Promise<boolean> {
  const found = await api.find({ apiVersion: 'apps/v1', kind: 'DaemonSet' }, 'kube-system', 'kube-proxy', signal)
  if (found === undefined) return false
  const status = (found.status ?? {}) as Readonly<Record<string, number | undefined>>
  const { desiredNumberScheduled: wanted = 0, updatedNumberScheduled: updated = 0, numberReady: ready = 0 } = status
  return JSON.stringify(found.spec ?? {}).includes(`"${image}"`) && updated >= wanted && ready >= wanted
}
