import { isUnfinished } from '../cluster/rotation.js'
import type { TalosNode } from '../talos/api/port.js'
import type { WorkContext } from '../work/work-context.js'

const patienceMs = 60_000
const intervalMs = 1000

/**
 * Makes a change for which Talos restarts the kubelet, and returns when the kubelet is back. For some seconds the node
 * still reports the old kubelet, and the next machine must wait. If there is no restart, this takes a minute.
 */
export async function throughKubeletRestart(
  node: TalosNode,
  change: () => Promise<void>,
  { clock, observed, signal }: WorkContext,
): Promise<void> {
  const { rotation } = observed.secrets
  if (!isUnfinished(rotation) || rotation.what !== 'kubernetes-ca') return change()
  const before = (await findKubelet(node, signal))?.changedAt ?? 0
  await change()
  const until = clock.monotonic() + patienceMs
  while (clock.monotonic() < until) {
    const kubelet = await findKubelet(node, signal).catch(() => undefined)
    if (kubelet?.healthy === true && (kubelet.changedAt ?? 0) > before) return
    await clock.sleep(intervalMs, signal)
  }
}

async function findKubelet(node: TalosNode, signal: AbortSignal) {
  return (await node.services(signal)).find(({ id }) => id === 'kubelet')
}
