import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { RunEvent } from '../../../src/events.js'

/** Whoever asks outside of a step: the looks before and between rounds, the lease. */
const outside = 'outside of steps'

export interface CallsByStep {
  /** The step that begins here is the one that asks from here on. */
  onEvent(event: RunEvent): void
  /** A table of kinds of steps, calls and how often, most first. */
  table(): string
  end(): void
}

/** Which calls over HTTP this process makes, how often, and on behalf of which kind of step. */
export function countCallsByStep(): CallsByStep {
  const step = new AsyncLocalStorage<string>()
  const counts = new Map<string, number>()
  const count = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    const key = `${(step.getStore() ?? outside).padEnd(22)} ${request.method} ${shapeOf(request.path)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  subscribe('http.client.request.start', count)
  return {
    onEvent: (event) => {
      if (event.type === 'step.started') step.enterWith(event.step.split('?')[0] ?? '')
    },
    table: () => {
      step.enterWith(outside)
      return tableOf(counts)
    },
    end: () => void unsubscribe('http.client.request.start', count),
  }
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
export function tableOf(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([call, times]) => `${String(times).padStart(5)}  ${call}`)
    .join('\n')
}
