import { fieldsOf, listOf, textOf } from '../kubernetes/answer.js'
import type { KubernetesApi, KubernetesObject } from '../kubernetes/port.js'
import type { ObjectName, Webhook } from './examined-kubernetes.js'
import { nameOf } from './read-objects.js'

const admission = 'admissionregistration.k8s.io/v1'
const kinds = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']
const slices = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' }

type Asked = Omit<Webhook, 'hasBackend'>

/** Webhooks that the API server calls through a service, and whether a pod stands behind it. */
export async function examineWebhooks(api: KubernetesApi, signal: AbortSignal): Promise<Webhook[]> {
  const found = await Promise.all(kinds.map((kind) => api.list({ apiVersion: admission, kind }, undefined, {}, signal)))
  const webhooks = found.flat().flatMap(webhooksIn)
  const services = new Map(webhooks.map(({ service }) => [keyOf(service), service]))
  const served = new Map(
    await Promise.all(
      [...services].map(async ([key, service]) => [key, await hasBackend(service, api, signal)] as const),
    ),
  )
  return webhooks.map((webhook) => ({ ...webhook, hasBackend: served.get(keyOf(webhook.service)) === true }))
}

function webhooksIn(object: KubernetesObject): Asked[] {
  return listOf(object.webhooks).flatMap(({ clientConfig, failurePolicy }) => {
    const service = fieldsOf(fieldsOf(clientConfig).service)
    if (textOf(service.name) === '') return []
    return [
      {
        name: nameOf(object).name,
        service: { namespace: textOf(service.namespace), name: textOf(service.name) },
        isRequired: failurePolicy !== 'Ignore',
      },
    ]
  })
}

/** An endpoint without a condition counts as ready. */
async function hasBackend({ namespace, name }: ObjectName, api: KubernetesApi, signal: AbortSignal): Promise<boolean> {
  const found = await api.list(slices, namespace, { labelSelector: `kubernetes.io/service-name=${name}` }, signal)
  return found
    .flatMap(({ endpoints }) => listOf(endpoints))
    .some(({ conditions }) => fieldsOf(conditions).ready !== false)
}

function keyOf({ namespace, name }: ObjectName): string {
  return `${namespace}/${name}`
}
