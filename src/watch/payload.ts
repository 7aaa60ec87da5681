import { createHmac } from 'node:crypto'
import type { Severity } from '../findings/finding.js'
import { lineOf, type WatchEvent } from './watch-event.js'

export type WebhookKind = 'json' | 'slack' | 'ntfy'

export interface Payload {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const signs: Readonly<Record<Severity, string>> = { blocks: '!!', warns: '!', info: '-' }
/** ntfy's priorities: 5 rings through, 3 is the usual one. */
const priorities: Readonly<Record<Severity, string>> = { blocks: '4', warns: '3', info: '2' }

/** One request for all events of a pass. */
export function payloadOf(kind: WebhookKind, events: readonly WatchEvent[]): Payload {
  if (kind === 'json')
    return { body: JSON.stringify({ version: 1, events }), headers: { 'content-type': 'application/json' } }
  const lines = events.map((event) => `${signs[event.severity]} ${lineOf(event)}`)
  const clusters = [...new Set(events.map(({ cluster }) => cluster))].join(', ')
  if (kind === 'slack') {
    const text = [`*ichor ${escaped(clusters)}*`, ...lines.map(escaped)].join('\n')
    return { body: JSON.stringify({ text }), headers: { 'content-type': 'application/json' } }
  }
  const worst = (['blocks', 'warns', 'info'] as const).find((severity) =>
    events.some((one) => one.severity === severity),
  )
  return {
    body: lines.join('\n'),
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: `ichor ${clusters}`,
      priority: priorities[worst ?? 'info'],
    },
  }
}

/** As Slack asks for: nothing of others becomes a link or a mention. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Over time and body, so that an old request cannot be sent again later. */
export function signatureHeaders(body: string, key: string, now: number): Record<string, string> {
  const time = String(Math.floor(now / 1000))
  const signature = createHmac('sha256', key).update(`${time}.${body}`).digest('hex')
  return { 'x-ichor-timestamp': time, 'x-ichor-signature': `sha256=${signature}` }
}
