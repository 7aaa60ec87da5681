import type { KubernetesPart } from '../cluster/config-images.js'
import { itemsOf, recordOf } from '../cluster/object-fields.js'
import type { WorkContext } from '../work/work-context.js'
import { kubernetesApi } from './kubernetes-api.js'
import { findNode } from './kubernetes-node.js'

/** A control plane component that the kubelet of a machine runs from a file. */
export interface StaticPod {
  readonly images: readonly string[]
  readonly isReady: boolean
  /** Version of the secrets that Talos wrote for it before it was started. */
  readonly secretsVersion?: string
}

/** As its mirror pod shows it, through any API server that responds. */
export async function findStaticPod(
  machine: string,
  part: KubernetesPart,
  context: WorkContext,
): Promise<StaticPod | undefined> {
  const node = await findNode(machine, context)
  const api = await kubernetesApi(context)
  const pods = await api.list(
    { apiVersion: 'v1', kind: 'Pod' },
    'kube-system',
    { labelSelector: `k8s-app=${part}` },
    context.signal,
  )
  const own = pods.find(({ spec }) => node !== undefined && recordOf(spec).nodeName === node.name)
  if (own === undefined) return undefined
  const secretsVersion = own.metadata.annotations?.['talos.dev/secrets-version']
  return {
    images: itemsOf(recordOf(own.spec).containers).map(({ image }) => String(image)),
    isReady: itemsOf(recordOf(own.status).conditions).some(({ type, status }) => type === 'Ready' && status === 'True'),
    ...(secretsVersion === undefined ? {} : { secretsVersion }),
  }
}
