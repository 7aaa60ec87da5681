import { ProxmoxError } from '../../proxmox/model/proxmox-error.js'
import type { Clock } from '../../world.js'
import type { ProcessProbe } from '../holder.js'
import type { Pools } from '../lease-pools.js'

/** A clock that advances only when everything sleeps: the earliest sleeper wakes first. */
export interface VirtualTime {
  clock(): Clock
  /** Resolves after everything that happens within this time. */
  pass(ms: number): Promise<void>
}

export function createVirtualTime(): VirtualTime {
  let now = 0
  const sleepers: { at: number; wake: () => void }[] = []

  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const giveUp = () => {
        sleepers.splice(sleepers.indexOf(sleeper), 1)
        reject(signal.reason)
      }
      const wake = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const sleeper = { at: now + ms, wake }
      sleepers.push(sleeper)
      signal.addEventListener('abort', giveUp)
    })

  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  return {
    clock: () => ({ now: () => 1_800_000_000_000 + now, monotonic: () => now, sleep }),
    pass: async (ms) => {
      const until = now + ms
      for (;;) {
        await settle()
        const next = sleepers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0]
        if (next === undefined) break
        sleepers.splice(sleepers.indexOf(next), 1)
        now = Math.max(now, next.at)
        next.wake()
      }
      now = until
      await settle()
    },
  }
}

/** Pools like in Proxmox: creation is atomic, a child needs its parent, a parent with children cannot be removed. */
export function createMemoryPools(): Pools & { readonly all: Map<string, string> } {
  const all = new Map<string, string>()
  const fail = (method: string, reason: string) =>
    new ProxmoxError({ method, path: '/pools', status: 500, reason, outcome: 'failed' })
  const arrive = () => Promise.resolve()
  return {
    all,
    list: async () => {
      await arrive()
      return [...all].map(([id, comment]) => ({ id, comment }))
    },
    find: async (id) => {
      await arrive()
      const comment = all.get(id)
      return comment === undefined ? undefined : { id, comment, vmids: [] }
    },
    create: async (id, comment) => {
      await arrive()
      if (all.has(id)) return false
      const parent = id.slice(0, Math.max(0, id.lastIndexOf('/')))
      if (parent !== '' && !all.has(parent)) throw fail('POST', `parent '${parent}' of pool '${id}' does not exist`)
      all.set(id, comment)
      return true
    },
    setComment: async (id, comment) => {
      await arrive()
      if (!all.has(id)) throw fail('PUT', `update pools failed: pool '${id}' does not exist`)
      all.set(id, comment)
    },
    remove: async (id) => {
      await arrive()
      if ([...all.keys()].some((other) => other.startsWith(`${id}/`))) throw fail('DELETE', `pool '${id}' is not empty`)
      all.delete(id)
    },
  }
}

/** Processes of one computer, some of which no longer run. */
export function aProbe(host: string, dead: ReadonlySet<number> = new Set(), pid = 1): ProcessProbe {
  return {
    self: async (run) => ({ run, user: 'alice', host, boot: `boot-${host}`, pid, started: '1' }),
    isGone: async (holder) => holder.boot === `boot-${host}` && dead.has(holder.pid),
  }
}
