import type { TalosNode } from '../talos/api/port.js'

/** States of the service before there is any data: it waits to be bootstrapped, recovered, or let in by others. */
const waiting = new Set(['Preparing', 'Waiting', 'Initialized'])

export function isWaitingState(state: string | undefined): boolean {
  return state !== undefined && waiting.has(state)
}

/** Whether a control plane has no etcd and waits for one, in its own words. One that is going down says nothing of the kind. */
export async function awaitsEtcd(node: TalosNode, signal: AbortSignal): Promise<boolean> {
  const { stage } = await node.resources.machineStatus(signal)
  if (stage !== 'booting' && stage !== 'running') return false
  const services = await node.services(signal)
  return isWaitingState(services.find(({ id }) => id === 'etcd')?.state)
}
