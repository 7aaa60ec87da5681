import { hostOf, isPlainHttp } from '../cluster/plain-http.js'
import { payloadOf, signatureHeaders, type WebhookKind } from './payload.js'
import type { WatchEvent } from './watch-event.js'

/** A webhook with its secrets: never printed. */
export interface Webhook {
  /** For the queue in the memory, and for messages: it does not reveal the address. */
  readonly name: string
  readonly url: string
  readonly kind: WebhookKind
  readonly key?: string
  /** Codes and severities that it takes; empty: everything. */
  readonly on: readonly string[]
}

export interface Delivery {
  readonly allowHttp: readonly string[]
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** Whether it was taken, or why not; without the address, which may hold a token. */
export type Delivered = { readonly isTaken: true } | { readonly isTaken: false; readonly why: string }

const waitsMs = [1000, 5000]
const patienceMs = 10_000

/** Tries a few times; what is not taken then waits for the next pass. */
export async function deliver(webhook: Webhook, events: readonly WatchEvent[], delivery: Delivery): Promise<Delivered> {
  if (events.length === 0) return { isTaken: true }
  if (!/^https?:$/.test(protocolOf(webhook.url))) return { isTaken: false, why: 'its address is no URL' }
  if (isPlainHttp(webhook.url) && !delivery.allowHttp.includes(hostOf(webhook.url))) {
    return { isTaken: false, why: 'its address is unencrypted http; use https, or add its host to allow_http' }
  }
  for (const waitMs of [...waitsMs, undefined]) {
    const answer = await post(webhook, events, delivery)
    if (answer.isTaken || !answer.mayRetry || waitMs === undefined) return answer
    await delivery.sleep(waitMs, delivery.signal)
  }
  return { isTaken: false, why: 'it does not answer' }
}

/** What of these a webhook takes. */
export function takenBy({ on }: Pick<Webhook, 'on'>, events: readonly WatchEvent[]): WatchEvent[] {
  if (on.length === 0) return [...events]
  return events.filter((event) => on.includes(event.severity) || on.includes(codeOf(event) ?? ''))
}

function codeOf(event: WatchEvent): string | undefined {
  if (event.type === 'finding.opened') return event.finding.code
  return event.type === 'finding.closed' ? event.code : undefined
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

async function post(
  { url, kind, key }: Webhook,
  events: readonly WatchEvent[],
  { now, signal }: Delivery,
): Promise<Delivered & { readonly mayRetry?: boolean }> {
  const { body, headers } = payloadOf(kind, events)
  const signed = key === undefined ? {} : signatureHeaders(body, key, now())
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...headers, ...signed },
      // Another host must not receive what was meant for this one.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    })
    await response.body?.cancel()
    if (response.ok) return { isTaken: true }
    return {
      isTaken: false,
      why: `it answers ${response.status}`,
      mayRetry: response.status === 429 || response.status >= 500,
    }
  } catch {
    signal.throwIfAborted()
    return { isTaken: false, why: 'it does not answer', mayRetry: true }
  }
}
