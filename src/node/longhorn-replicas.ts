import { lastReplica } from '../findings/refusals/addons.js'
import type { KubernetesObject } from '../kubernetes/port.js'
import { findSeen } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'
import { kubernetesApi } from './kubernetes-api.js'

const replicaKind = { apiVersion: 'longhorn.io/v1beta2', kind: 'Replica' }

interface Replica {
  readonly volume: string
  readonly node: string
  readonly isHealthy: boolean
}

/**
 * Every Longhorn volume with data on these machines must have a healthy replica elsewhere. Checked only if Longhorn
 * runs.
 */
export async function guardReplicas(machines: string | readonly string[], context: WorkContext): Promise<void> {
  if (!context.desired.addons.some(({ name }) => name === 'longhorn')) return
  const leaving = [machines].flat()
  const nodes = new Set(leaving.map((machine) => findSeen(context.observed, machine)?.node?.name ?? machine))
  const api = await kubernetesApi(context)
  const replicas = (await api.list(replicaKind, 'longhorn-system', {}, context.signal)).map(replicaOf)
  const here = replicas.filter((replica) => nodes.has(replica.node))
  const lost = here.filter(
    ({ volume }) => !replicas.some((other) => other.volume === volume && !nodes.has(other.node) && other.isHealthy),
  )
  if (lost.length === 0) return
  const names = [...new Set(lost.map(({ volume }) => volume))].join(', ')
  throw lastReplica.refuse(`Longhorn has no other healthy replica of ${names} than the one on ${leaving.join(', ')}.`, {
    subject: { kind: 'machine', name: leaving.join(', ') },
    where: `machine ${leaving.join(', ')}`,
    fix: 'Give these volumes another replica and wait until Longhorn has rebuilt it, then run the command again.',
  })
}

function replicaOf({ spec, status }: KubernetesObject): Replica {
  const wanted = recordOf(spec)
  const isFailed = wanted.failedAt !== undefined && wanted.failedAt !== ''
  return {
    volume: String(wanted.volumeName ?? ''),
    node: String(wanted.nodeID ?? ''),
    isHealthy: !isFailed && String(wanted.healthyAt ?? '') !== '' && recordOf(status).currentState === 'running',
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
