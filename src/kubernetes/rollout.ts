import type { Clock } from '../world.js'
import { KubernetesError } from './kubernetes-error.js'
import { describe } from './object-calls.js'
import type { KubernetesApi, KubernetesObject } from './port.js'

export interface Workload {
  readonly kind: 'Deployment' | 'DaemonSet' | 'StatefulSet'
  readonly namespace: string
  readonly name: string
}

const pauseMs = 1_000

/** Waits until every pod of a workload is of its newest revision and ready. */
export async function waitForRollout(
  api: KubernetesApi,
  clock: Clock,
  workload: Workload,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const until = clock.monotonic() + timeoutMs
  const kind = { apiVersion: 'apps/v1', kind: workload.kind }
  for (;;) {
    const missing = missingOf(await api.find(kind, workload.namespace, workload.name, signal))
    if (missing === undefined) return
    if (clock.monotonic() > until) {
      const object = describe(kind, workload.namespace, workload.name)
      throw new KubernetesError(
        `${object} is not rolled out after ${Math.round(timeoutMs / 1000)} s: ${missing}.`,
        { verb: 'wait for', object, reason: 'NotRolledOut' },
        {
          where: object,
          fix: 'Look at the events of its pods: an image that cannot be pulled or a node without room is named there.',
        },
      )
    }
    await clock.sleep(pauseMs, signal)
  }
}

/** What a workload still lacks, in words; `undefined` when it is rolled out. */
export function missingOf(object: KubernetesObject | undefined): string | undefined {
  if (object === undefined) return 'it does not exist'
  const status = (object.status ?? {}) as Readonly<Record<string, number | undefined>>
  const generation = (object.metadata as { generation?: number }).generation ?? 0
  if ((status.observedGeneration ?? 0) < generation) return 'its newest change has not been seen yet'
  const { wanted, updated, ready } = countsOf(object, status)
  if (updated < wanted) return `${updated} of ${wanted} pods are of the newest revision`
  return ready < wanted ? `${ready} of ${wanted} pods are ready` : undefined
}

function countsOf({ kind, spec }: KubernetesObject, status: Readonly<Record<string, number | undefined>>) {
  if (kind === 'DaemonSet')
    return {
      wanted: status.desiredNumberScheduled ?? 0,
      updated: status.updatedNumberScheduled ?? 0,
      ready: status.numberReady ?? 0,
    }
  const wanted = (spec as { replicas?: number } | undefined)?.replicas ?? 1
  return { wanted, updated: status.updatedReplicas ?? 0, ready: status.readyReplicas ?? 0 }
}
