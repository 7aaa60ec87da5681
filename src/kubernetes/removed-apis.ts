import type { DeprecatedApi, KubernetesObject, ObjectKind } from './port.js'

/** An API version that a release removed, and the version that still reads its objects. */
interface RemovedApi {
  readonly removed: string
  /** Minor version of Kubernetes 1. */
  readonly in: number
  readonly now: ObjectKind
}

const flowControl = 'flowcontrol.apiserver.k8s.io'
const flowKinds = ['FlowSchema', 'PriorityLevelConfiguration'] as const

const admission = 'admissionregistration.k8s.io'
const admissionKinds = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'] as const

/**
 * APIs with stored objects that a release stopped serving, from the oldest Kubernetes that a supported Talos runs to
 * 1.36. No API was removed after 1.34. Alpha APIs behind a feature gate are left out if no later version reads them.
 */
const removedApis: readonly RemovedApi[] = [
  { removed: 'autoscaling/v2beta2', in: 26, now: { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' } },
  {
    removed: 'storage.k8s.io/v1beta1',
    in: 27,
    now: { apiVersion: 'storage.k8s.io/v1', kind: 'CSIStorageCapacity' },
  },
  ...flowKinds.flatMap((kind) =>
    (
      [
        ['v1beta1', 26, 'v1beta3'],
        ['v1beta2', 29, 'v1beta3'],
        ['v1beta3', 32, 'v1'],
      ] as const
    ).map(([version, minor, now]) => ({
      removed: `${flowControl}/${version}`,
      in: minor,
      now: { apiVersion: `${flowControl}/${now}`, kind },
    })),
  ),
  // Alpha in 1.26, beta in 1.28, stable since 1.30.
  ...admissionKinds.flatMap((kind) =>
    (
      [
        ['v1alpha1', 33],
        ['v1beta1', 34],
      ] as const
    ).map(([version, minor]) => ({
      removed: `${admission}/${version}`,
      in: minor,
      now: { apiVersion: `${admission}/v1`, kind },
    })),
  ),
]

/** The APIs that the releases between two minor versions remove. */
export function removedBetween(runs: number, wanted: number): readonly RemovedApi[] {
  return removedApis.filter((api) => api.in > runs && api.in <= wanted)
}

interface ManagedField {
  readonly manager?: string
  readonly apiVersion?: string
}

/** Objects that are still written with that API version, by their managed fields. */
export function writtenWith(api: RemovedApi, objects: readonly KubernetesObject[]): DeprecatedApi[] {
  return objects.flatMap(({ metadata }) => {
    const { managedFields = [] } = metadata as { managedFields?: readonly ManagedField[] }
    const managers = managedFields.filter(({ apiVersion }) => apiVersion === api.removed)
    const place = [metadata.namespace, metadata.name].filter(Boolean).join('/')
    return managers.map(({ manager = 'an unknown client' }) => ({
      name: `${api.removed} ${api.now.kind} ${place} (written by ${manager})`,
      removedIn: `1.${api.in}`,
    }))
  })
}
