import { isBeforeEtcd } from '../cluster/etcd-service.js'
import type { ObservedTalos } from '../observe/observed.js'
import type { TalosNode } from '../talos/api/port.js'

type Secured = Extract<ObservedTalos, { reach: 'secured' }>

/** Whether it was observed that a control plane has no etcd and waits for one. */
export function isAwaitingEtcd(talos: Secured): boolean {
  const { etcdState: state, etcdEnd: ended } = talos
  return state !== undefined && isBeforeEtcd({ state, ended })
}

/** The state once its etcd is wiped. */
export function awaitingEtcd({ etcdEnd: _, ...talos }: Secured): Secured {
  return { ...talos, etcdState: 'Preparing' }
}

/**
 * Whether a control plane reports that it has no etcd and waits for one. A node that shuts down does not report this.
 */
export async function awaitsEtcd(node: TalosNode, signal: AbortSignal): Promise<boolean> {
  const { stage } = await node.resources.machineStatus(signal)
  if (stage !== 'booting' && stage !== 'running') return false
  const services = await node.services(signal)
  const etcd = services.find(({ id }) => id === 'etcd')
  return etcd !== undefined && isBeforeEtcd(etcd)
}
