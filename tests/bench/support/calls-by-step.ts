import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { RunEvent } from '../../../src/events/event.js'
import type { World } from '../../../src/world.js'

/** Whoever asks outside of a step: the looks before and between rounds, the lease. */
const outside = 'outside of steps'

export interface CallsByStep {
  /** The step that begins here is the one that asks from here on. */
  onEvent(event: RunEvent): void
  /** Talos is called over HTTP/2, where a call is seen here only. */
  through(world: World): World
  /** A table of kinds of steps, calls and how often, most first. */
  table(): string
  end(): void
}

/** Which calls over HTTP this process makes, how often, and on behalf of which kind of step. */
export function countCallsByStep(): CallsByStep {
  const step = new AsyncLocalStorage<string>()
  const counts = new Map<string, number>()
  const add = (call: string) => {
    const key = `${(step.getStore() ?? outside).padEnd(22)} ${call}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const count = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    add(`${request.method} ${shapeOf(request.path)}`)
  }
  subscribe('http.client.request.start', count)
  return {
    onEvent: (event) => {
      if (event.type === 'step.started') step.enterWith(event.step.split('?')[0] ?? '')
    },
    through: (world) => ({
      ...world,
      talos: { ...world.talos, node: (target) => counted(world.talos.node(target), 'talos', add) },
    }),
    table: () => {
      step.enterWith(outside)
      return tableOf(counts)
    },
    end: () => void unsubscribe('http.client.request.start', count),
  }
}

function counted<T extends object>(calls: T, name: string, add: (call: string) => void): T {
  return new Proxy(calls, {
    get: (target, key) => {
      const part: unknown = Reflect.get(target, key)
      const path = `${name}.${String(key)}`
      if (typeof part === 'object' && part !== null) return counted(part, path, add)
      if (typeof part !== 'function') return part
      return (...args: unknown[]) => {
        add(args.some((arg) => typeof arg === 'string') ? `${path} ${args[0]}` : path)
        return Reflect.apply(part, target, args)
      }
    },
  })
}

/** Without what differs from call to call. */
function shapeOf(path: string): string {
  return decodeURIComponent(path)
    .replace(/^\/api2\/json/, '')
    .replace(/UPID:[^/]+?:([a-z]+):[^/]*(?=\/)/, 'UPID:$1')
    .replace(/\/nodes\/pve\d+/, '/nodes/N')
    .replace(/\/qemu\/\d+/, '/qemu/V')
    .replace(/since=\d+/, 'since=S')
}

/** Most first. */
function tableOf(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([call, times]) => `${String(times).padStart(5)}  ${call}`)
    .join('\n')
}
