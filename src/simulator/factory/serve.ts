import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SimClock } from '../core/clock.js'
import type { FaultRule, Faults } from '../core/faults.js'
import type { Ledger } from '../core/ledger.js'
import { FactoryRefusal } from './images.js'

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface Surroundings {
  readonly clock: SimClock
  readonly faults: Faults
  readonly ledger: Ledger
  /** Kills the client in the middle of a call. */
  readonly onKillCaller?: () => void
}

/** Handles one request: faults first, then the factory, then faults again. */
export async function serve(
  around: Surroundings,
  request: IncomingMessage,
  response: ServerResponse,
  answer: (method: string, path: string, body: string) => Promise<Answer>,
): Promise<void> {
  const method = request.method ?? 'GET'
  const path = new URL(request.url ?? '/', 'http://factory').pathname
  const mutating = method !== 'GET' && method !== 'HEAD'
  const rule = around.faults.meet({ surface: 'factory', method, path, mutating })
  if (rule?.action.kind === 'refuse') return void request.socket.destroy()
  if (rule?.action.kind === 'delay') await around.clock.sleep(rule.action.modelMs)
  const given =
    rule?.action.kind === 'status'
      ? plain(rule.action.status, rule.action.message)
      : await answer(method, path, await bodyOf(request)).catch(refusalOf)
  const detail = { method, status: given.status }
  around.ledger.record({ at: around.clock.now(), surface: 'factory', event: 'call', subject: path, mutating, detail })
  deliver(around, rule, method, given, response)
}

export function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', body: Buffer.from(`${JSON.stringify(value)}\n`) }
}

export function plain(status: number, text: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: Buffer.from(`${text}\n`) }
}

function deliver(
  { onKillCaller }: Surroundings,
  rule: FaultRule | undefined,
  method: string,
  answer: Answer,
  response: ServerResponse,
): void {
  const kind = rule?.action.kind
  if (kind === 'kill-caller') onKillCaller?.()
  if (kind === 'kill-caller' || kind === 'drop-answer') return void response.socket?.destroy()
  response.writeHead(answer.status, {
    'content-type': answer.type,
    'content-length': answer.body.byteLength,
    ...answer.headers,
  })
  if (kind === 'cut-stream') {
    response.write(answer.body.subarray(0, answer.body.byteLength / 2), () => response.socket?.destroy())
    return
  }
  response.end(method === 'HEAD' ? undefined : answer.body)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function refusalOf(error: unknown): Answer {
  if (error instanceof FactoryRefusal) return plain(error.status, error.message)
  return plain(500, 'internal server error')
}
