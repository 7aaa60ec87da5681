import type { SimClock } from '../core/clock.js'
import { died } from './api-error.js'

/** The advisory file locks of the original: waiting is limited, and a lock ends with the worker that held it. */
export interface Flocks {
  /** Runs while holding the lock of that file. */
  hold<T>(file: string, waitMs: number, run: () => Promise<T> | T): Promise<T>
  isHeld(file: string): boolean
}

export const vmLockFile = (vmid: number) => `/var/lock/qemu-server/lock-${vmid}.conf`

export function createFlocks(clock: SimClock): Flocks {
  const queues = new Map<string, (() => void)[]>()

  const acquire = (file: string, waitMs: number): Promise<void> => {
    const queue = queues.get(file)
    if (queue === undefined) {
      queues.set(file, [])
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const cancel = clock.after(waitMs, () => {
        const at = queue.indexOf(enter)
        if (at >= 0) queue.splice(at, 1)
        reject(died(`can't lock file '${file}' - got timeout`))
      })
      const enter = () => {
        cancel()
        resolve()
      }
      queue.push(enter)
    })
  }

  const release = (file: string) => {
    const next = queues.get(file)?.shift()
    if (next === undefined) queues.delete(file)
    else next()
  }

  return {
    isHeld: (file) => queues.has(file),
    hold: async (file, waitMs, run) => {
      await acquire(file, waitMs)
      try {
        return await run()
      } finally {
        release(file)
      }
    },
  }
}
