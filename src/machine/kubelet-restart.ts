import { isUnfinished } from '../cluster/rotation.js'
import type { TalosNode } from '../talos/api/port.js'
import type { World } from '../world.js'
import type { WorkContext } from './work-context.js'

const patienceMs = 60_000
const intervalMs = 1000

/**
 * Makes a change with which Talos restarts the kubelet, and returns when it is back: for some seconds the node still reports
 * the old one as well, and the next machine must not go meanwhile. A change without a restart takes a minute.
 */
export async function throughKubeletRestart(
  node: TalosNode,
  change: () => Promise<void>,
  { clock }: World,
  { observed, signal }: WorkContext,
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
