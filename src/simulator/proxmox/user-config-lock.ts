import { died } from './api-error.js'
import type { Datacenter } from './datacenter.js'
import type { Worker } from './tasks.js'

/** The file with users, rights and pools, which one process of the cluster may change at a time. */
export const userConfigLock = 'file-user_cfg'

const maxTries = 9

/** Runs while no other process changes that file. A waiting worker logs every second, and finally gives up. */
export async function withUserConfig<T>({ locks }: Datacenter, worker: Worker, run: () => T): Promise<T> {
  for (let tries = 0; locks.isHeld(userConfigLock); tries++) {
    if (tries === maxTries) throw died(`cfs-lock '${userConfigLock}' error: got lock request timeout`)
    worker.log(`trying to acquire cfs lock '${userConfigLock}' ...`)
    await worker.sleep(1000)
  }
  return locks.hold(userConfigLock, 0, run)
}
