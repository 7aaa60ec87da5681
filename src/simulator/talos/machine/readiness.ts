import type { Boot } from './boot.js'
import type { TalosMachine, UnmetCondition } from './machine.js'
import { isTimeSynced } from './time-sync.js'

/** Checks repeatedly, until this boot ends, why it is not ready. */
export function watchReadiness({ machine, signal }: Boot): void {
  const judge = () => machine.setUnmet(unmetConditions(machine))
  const stop = machine.watch(judge)
  signal.addEventListener('abort', stop, { once: true })
  judge()
}

function unmetConditions(machine: TalosMachine): UnmetCondition[] {
  const { services, facts, nodeIsReady } = machine
  const isControlPlane = facts?.role === 'controlplane'
  const needed = ['apid', 'machined', 'kubelet', ...(isControlPlane ? ['etcd', 'trustd'] : [])]
  const reasons = needed.filter((id) => !services.isHealthy(id)).map((id) => reasonFor(machine, id))
  return [
    ...(!isTimeSynced(machine) ? [{ name: 'time', reason: 'time is not in sync' }] : []),
    ...(reasons.length > 0 ? [{ name: 'services', reason: reasons.join(', ') }] : []),
    ...(isControlPlane && !machine.staticPodsAreUp
      ? [{ name: 'staticPods', reason: 'kube-system/kube-apiserver not ready' }]
      : []),
    ...(nodeIsReady ? [] : [{ name: 'nodeReady', reason: `node "${machine.hostname}" status is not available yet` }]),
  ]
}

function reasonFor({ services }: TalosMachine, id: string): string {
  return services.find(id)?.state === 'Running' ? `${id} not healthy` : `${id} not running`
}
