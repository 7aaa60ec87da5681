import { isMap, type JsonMap, mapAt, mapsAt, type StoredObject } from '../object.js'
import type { Resource } from '../resources.js'
import { withServiceAccount } from './service-account.js'

/** The few defaults that a client can notice: in output, in merges, in the behaviour of a controller. */
export function withDefaults(resource: Resource, object: StoredObject): StoredObject {
  if (resource.custom) return object
  const fill = defaultsByKind[resource.kind]
  return fill === undefined ? object : fill(object)
}

type Fill = (object: StoredObject) => StoredObject

const defaultsByKind: Readonly<Record<string, Fill>> = {
  Pod: (pod) => ({
    ...pod,
    spec: withServiceAccount(podSpec(mapAt(pod, 'spec')), pod.metadata.name),
    status: { phase: 'Pending', ...mapAt(pod, 'status') },
  }),
  Deployment: (object) => withSpec(object, (spec) => ({ replicas: 1, ...spec, template: template(spec.template) })),
  StatefulSet: (object) => withSpec(object, (spec) => ({ replicas: 1, ...spec, template: template(spec.template) })),
  DaemonSet: (object) => withSpec(object, (spec) => ({ ...spec, template: template(spec.template) })),
  Job: (object) =>
    withSpec(object, (spec) => ({
      backoffLimit: 6,
      completions: 1,
      parallelism: 1,
      ...spec,
      template: template(spec.template),
    })),
  Namespace: (object) => {
    const { name, labels } = object.metadata
    const metadata = { ...object.metadata, labels: { 'kubernetes.io/metadata.name': name, ...labels } }
    return {
      ...object,
      metadata,
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active', ...mapAt(object, 'status') },
    }
  },
  Secret: (object) => {
    const { stringData, ...rest } = object
    const encoded = Object.entries(isMap(stringData) ? stringData : {}).map(([key, value]) => [
      key,
      Buffer.from(String(value)).toString('base64'),
    ])
    const data = { ...mapAt(object, 'data'), ...Object.fromEntries(encoded) }
    return { type: 'Opaque', ...rest, ...(Object.keys(data).length === 0 ? {} : { data }) } as StoredObject
  },
  Service: (object) =>
    withSpec(object, (spec) => ({
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ...spec,
      ports: mapsAt(spec, 'ports').map((port) => ({ protocol: 'TCP', targetPort: port.port, ...port })),
    })),
  StorageClass: (object) => ({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', ...object }) as StoredObject,
  PersistentVolumeClaim: (object) => ({ ...object, status: { phase: 'Pending', ...mapAt(object, 'status') } }),
}

function withSpec(object: StoredObject, fill: (spec: JsonMap) => JsonMap): StoredObject {
  return { ...object, spec: fill(mapAt(object, 'spec')) }
}

function template(value: unknown): JsonMap {
  return { ...mapAt(value), spec: podSpec(mapAt(value, 'spec')) }
}

function podSpec(spec: JsonMap): JsonMap {
  return {
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    ...spec,
    containers: mapsAt(spec, 'containers').map((container) => ({
      ...container,
      ...(container.ports === undefined
        ? {}
        : { ports: mapsAt(container, 'ports').map((port) => ({ protocol: 'TCP', ...port })) }),
    })),
  }
}
