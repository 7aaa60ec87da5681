import type { RotationTarget } from '../../cluster/rotation.js'
import { type OldWorkload, workloadsUntil } from '../../kubernetes/old-pods.js'
import type { Session } from '../../operations/session.js'
import { clusterAddresses } from '../cluster-addresses.js'
import type { Context } from '../frame/context.js'

/** What pods received at their start, and why they may need a restart. */
const given = {
  'kubernetes-ca': 'These pods read the old CA when they started. Restart those that talk to the API server:',
  'service-account-key':
    'These pods started with a token of the old key. The kubelet has replaced it; restart those that read it only once:',
} as const

export function namesPods(what: RotationTarget): what is keyof typeof given {
  return what in given
}

/** Pods from before a rotation may still use what is no longer accepted. */
export async function reportOldPods(
  what: keyof typeof given,
  opened: Session,
  json: boolean,
  { stdout, signal }: Context,
): Promise<void> {
  const restart = await oldWorkloads(opened, signal)
  if (json) {
    const event = { type: 'rotation.finished', version: 1, what, restart }
    return void stdout.write(`${JSON.stringify(event)}\n`)
  }
  if (restart.length === 0) return
  const lines = restart.map((workload) => `  ${commandFor(workload)}`)
  stdout.write(`\n${given[what]}\n${lines.join('\n')}\n`)
}

async function oldWorkloads({ inventory, world }: Session, signal: AbortSignal): Promise<OldWorkload[]> {
  const until = (await world.secrets.find())?.memory.rotation?.podsUntil
  if (until === undefined) return []
  const { observe } = await import('../../observe/observe.js')
  const { controlPlanes } = await clusterAddresses(inventory, () => observe(inventory, world, signal))
  const api = world.kubernetes.at(controlPlanes.map((host) => ({ host, port: 6443 })))
  return workloadsUntil(await api.list({ apiVersion: 'v1', kind: 'Pod' }, undefined, {}, signal), until)
}

const restartable = new Set(['Deployment', 'DaemonSet', 'StatefulSet'])

function commandFor({ kind, namespace, name, pods }: OldWorkload): string {
  const count = `# ${pods} pod${pods === 1 ? '' : 's'}`
  const target = `${kind.toLowerCase()}/${name}`
  if (restartable.has(kind)) return `kubectl -n ${namespace} rollout restart ${target}  ${count}`
  return `${target} in ${namespace}  ${count}`
}
