import { died, taskText } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { taskTime } from '../durations.js'
import type { VmState } from '../state.js'
import type { Worker } from '../tasks.js'
import { withUserConfig } from '../user-config-lock.js'

/** A new VM is added to its pool last: callers with rights only on the pool do not see it before. */
export async function enterPool(
  datacenter: Datacenter,
  { vmid }: VmState,
  pool: string | undefined,
  worker: Worker,
): Promise<void> {
  if (pool === undefined) return
  await worker.sleep(taskTime.poolEntry)
  try {
    await withUserConfig(datacenter, worker, () => datacenter.state.pools[pool]?.vms.push(vmid))
  } catch (error) {
    if (worker.isKilled) throw error
    throw died(`can't add VM ${vmid} to pool '${pool}': ${taskText(error)}`)
  }
}
