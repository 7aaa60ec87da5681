import type { Clock } from '../world.js'
import { KubernetesError } from './kubernetes-error.js'
import type { ObjectCalls } from './object-calls.js'
import type { ApplyManifestOptions, KubernetesObject } from './port.js'

/** Dependencies first; objects that can reject others last. */
const ranks: readonly (readonly string[])[] = [
  ['Namespace'],
  ['CustomResourceDefinition'],
  [
    'PriorityClass',
    'StorageClass',
    'ServiceAccount',
    'Secret',
    'ConfigMap',
    'ClusterRole',
    'Role',
    'ClusterRoleBinding',
    'RoleBinding',
  ],
  ['Service', 'PersistentVolumeClaim'],
]
const last = ['APIService', 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']
const establishedWithinMs = 60_000
const pauseMs = 250

/** Applies namespaces, then CRDs until they are established, then the rest. */
export async function applyInOrder(
  objects: ObjectCalls,
  clock: Clock,
  manifests: readonly KubernetesObject[],
  options: ApplyManifestOptions,
  signal: AbortSignal,
): Promise<void> {
  for (const group of inOrder(manifests)) {
    for (const manifest of group) await objects.apply(manifest, options, signal)
    for (const manifest of group)
      if (manifest.kind === 'CustomResourceDefinition') await waitUntilEstablished(objects, clock, manifest, signal)
  }
}

function inOrder(manifests: readonly KubernetesObject[]): KubernetesObject[][] {
  const rankOf = ({ kind }: KubernetesObject) => {
    const rank = ranks.findIndex((kinds) => kinds.includes(kind))
    if (rank >= 0) return rank
    return last.includes(kind) ? ranks.length + 1 : ranks.length
  }
  const groups: KubernetesObject[][] = Array.from({ length: ranks.length + 2 }, () => [])
  for (const manifest of manifests) groups[rankOf(manifest)]?.push(manifest)
  return groups
}

async function waitUntilEstablished(objects: ObjectCalls, clock: Clock, crd: KubernetesObject, signal: AbortSignal) {
  const until = clock.monotonic() + establishedWithinMs
  const name = crd.metadata.name ?? ''
  for (;;) {
    const live = await objects.find(crd, undefined, name, signal)
    if (isEstablished(live)) return
    if (clock.monotonic() > until) throw notEstablished(name)
    await clock.sleep(pauseMs, signal)
  }
}

function isEstablished(crd: KubernetesObject | undefined): boolean {
  const conditions = (crd?.status as { conditions?: { type: string; status: string }[] } | undefined)?.conditions ?? []
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
}

function notEstablished(name: string): KubernetesError {
  return new KubernetesError(
    `The CustomResourceDefinition ${name} is not established after ${establishedWithinMs / 1000} s.`,
    { verb: 'wait for', object: `CustomResourceDefinition ${name}`, reason: 'NotEstablished' },
    {
      where: `CustomResourceDefinition ${name}`,
      fix: `Look at the conditions of ${name}: they show name conflicts and schema errors.`,
    },
  )
}
