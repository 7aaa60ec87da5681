import type { TalosNode } from '../talos/api/port.js'

/** States of the service before it has data: it waits for bootstrap, for recovery, or to join others. */
const waiting = new Set(['Preparing', 'Waiting', 'Initialized'])

export function isWaitingState(state: string | undefined): boolean {
  return state !== undefined && waiting.has(state)
}

/**
 * Whether a control plane reports that it has no etcd and waits for one. A node that shuts down does not report this.
 */
export async function awaitsEtcd(node: TalosNode, signal: AbortSignal): Promise<boolean> {
  const { stage } = await node.resources.machineStatus(signal)
  if (stage !== 'booting' && stage !== 'running') return false
  const services = await node.services(signal)
  return isWaitingState(services.find(({ id }) => id === 'etcd')?.state)
}
