import { fieldsOf, listOf, textOf } from '../kubernetes/answer.js'
import type { KubernetesObject } from '../kubernetes/port.js'
import type {
  AddonJob,
  Attachment,
  Budget,
  CsiVolume,
  NodeDriver,
  ObjectName,
  PendingRequest,
  Workload,
} from './examined-kubernetes.js'

export function nameOf({ metadata }: KubernetesObject): ObjectName {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
}

function createdAt({ metadata }: KubernetesObject): number {
  return Date.parse(textOf(fieldsOf(metadata).creationTimestamp))
}

export function requestOf(object: KubernetesObject): PendingRequest {
  const spec = fieldsOf(object.spec)
  return {
    name: nameOf(object).name,
    requester: textOf(spec.username),
    signer: textOf(spec.signerName),
    since: createdAt(object),
  }
}

/** A budget without pods blocks nothing. */
export function budgetOf(object: KubernetesObject): Budget[] {
  const status = fieldsOf(object.status)
  const [expected, healthy, allowed] = [status.expectedPods, status.currentHealthy, status.disruptionsAllowed].map(
    (count) => Number(count ?? 0),
  )
  if (expected === undefined || healthy === undefined || allowed === undefined || expected === 0) return []
  const changed = listOf(status.conditions).find(({ type }) => type === 'DisruptionAllowed')
  const since = Date.parse(textOf(changed?.lastTransitionTime))
  return [{ ...nameOf(object), expected, healthy, allowed, ...(Number.isNaN(since) ? {} : { since }) }]
}

export function attachmentOf(object: KubernetesObject): Attachment[] {
  const [spec, status] = [fieldsOf(object.spec), fieldsOf(object.status)]
  const error = textOf(fieldsOf(status.attachError).message)
  return [
    {
      name: nameOf(object).name,
      node: textOf(spec.nodeName),
      driver: textOf(spec.attacher),
      volume: textOf(fieldsOf(spec.source).persistentVolumeName),
      isAttached: status.attached === true,
      since: createdAt(object),
      ...(error === '' ? {} : { error }),
    },
  ]
}

export function volumeOf(object: KubernetesObject): CsiVolume[] {
  const { driver, volumeHandle } = fieldsOf(fieldsOf(object.spec).csi)
  if (textOf(driver) === '') return []
  return [{ name: nameOf(object).name, driver: textOf(driver), handle: textOf(volumeHandle) }]
}

export function driversOf(object: KubernetesObject): NodeDriver[] {
  return listOf(fieldsOf(object.spec).drivers).map((driver) => {
    const { count } = fieldsOf(driver.allocatable)
    return {
      node: nameOf(object).name,
      driver: textOf(driver.name),
      ...(typeof count === 'number' ? { limit: count } : {}),
    }
  })
}

export function settingsOf(config: KubernetesObject | undefined): Readonly<Record<string, string>> | undefined {
  if (config === undefined) return undefined
  return Object.fromEntries(Object.entries(fieldsOf(config.data)).map(([key, value]) => [key, String(value)]))
}

/** The release stands in the arguments: `upgrade --install RELEASE CHART … --namespace NAMESPACE`. */
export function addonJobOf(object: KubernetesObject): AddonJob[] {
  const addon = object.metadata.labels?.['ichor.dev/addon']
  if (addon === undefined) return []
  const [container] = listOf(fieldsOf(fieldsOf(fieldsOf(object.spec).template).spec).containers)
  const args = Array.isArray(container?.args) ? container.args.map(String) : []
  const [name, namespace] = [args[args.indexOf('--install') + 1], args[args.indexOf('--namespace') + 1]]
  const isInstall = args.includes('--install') && args.includes('--namespace')
  return [
    {
      ...nameOf(object),
      addon,
      ...(isInstall && name !== undefined && namespace !== undefined ? { release: { name, namespace } } : {}),
    },
  ]
}

/** A Deployment counts its pods otherwise than a DaemonSet. */
export function workloadOf(object: KubernetesObject): Workload {
  const [spec, status] = [fieldsOf(object.spec), fieldsOf(object.status)]
  return {
    ...nameOf(object),
    wanted: Number(status.desiredNumberScheduled ?? spec.replicas ?? 0),
    ready: Number(status.numberReady ?? status.readyReplicas ?? 0),
  }
}

/** How many pods of each component are ready. */
export function componentsIn(pods: readonly KubernetesObject[]): Readonly<Record<string, number>> {
  const ready: Record<string, number> = { 'kube-apiserver': 0, 'kube-controller-manager': 0, 'kube-scheduler': 0 }
  for (const { metadata, status } of pods) {
    const name = metadata.labels?.['k8s-app'] ?? ''
    const isReady = listOf(fieldsOf(status).conditions).some((one) => one.type === 'Ready' && one.status === 'True')
    if (isReady && Object.hasOwn(ready, name)) ready[name] = (ready[name] ?? 0) + 1
  }
  return ready
}
