import type { Boot } from './boot.js'
import { durations } from './durations.js'
import { findApi } from './kubelet-life.js'

/** How long a node waits for its pods to terminate: budgets may block. */
const drainForMs = 5 * 60_000

/** The node cordons itself and evicts its pods, as before a legacy upgrade. Returns whether all pods were evicted. */
export async function drainItself(boot: Boot): Promise<boolean> {
  const { machine } = boot
  const { clock } = machine.fleet
  findApi(machine)?.store.cordon(machine.hostname, true)
  await boot.pause(durations.drain)
  for (const start = clock.now(); clock.now() - start < drainForMs; await boot.wait(durations.retry)) {
    const left = findApi(machine)?.store.evictPods(machine.hostname) ?? 0
    if (left === 0) return true
  }
  machine.log('[talos] task cordonAndDrainNode failed: pods are still there after 5m0s')
  return false
}
