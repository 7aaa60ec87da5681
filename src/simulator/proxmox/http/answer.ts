import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { ApiError } from '../api-error.js'

/** The response before it is formatted. */
export interface Answer {
  readonly status: number
  readonly reason: string
  /** Missing: no body at all. */
  readonly body?: { readonly type: string; readonly text: string }
}

const json = 'application/json;charset=UTF-8'

/** A response whose body is exactly that text. */
export class PlainBody {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function success(data: unknown, extra: Readonly<Record<string, unknown>>, format: string): Answer {
  if (data instanceof PlainBody) return { status: 200, reason: 'OK', body: { type: 'text/plain', text: data.text } }
  const value = data === undefined ? null : data
  const envelope = format === 'extjs' ? { data: value, success: 1, ...extra } : { data: value, ...extra }
  if (format === 'html')
    return { status: 200, reason: 'OK', body: { type: 'text/html;charset=UTF-8', text: page(envelope) } }
  return { status: 200, reason: 'OK', body: { type: json, text: JSON.stringify(envelope) } }
}

function page(envelope: unknown): string {
  const escaped = JSON.stringify(envelope).replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
  return `<!DOCTYPE html>\n<html lang="en">\n<head><title>Proxmox VE API</title></head>\n<body><pre>${escaped}</pre></body>\n</html>\n`
}

/** Errors of handlers have a JSON body; errors of the HTTP layer have plain text, or nothing. */
export function failure(error: ApiError, format: string, isPlain: boolean): Answer {
  const reason = error.message.split('\n')[0] ?? ''
  if (error.emptyBody) return { status: error.status, reason }
  if (isPlain) return { status: error.status, reason, body: { type: 'text/plain', text: error.message } }
  const body = { data: null, message: error.message, ...(error.errors === undefined ? {} : { errors: error.errors }) }
  if (format === 'extjs') {
    const status = error.status === 500 || error.status === 501 ? error.status : String(error.status)
    return { status: 200, reason: 'OK', body: { type: json, text: JSON.stringify({ ...body, status, success: 0 }) } }
  }
  return { status: error.status, reason, body: { type: json, text: JSON.stringify(body) } }
}

/** Status lines support Latin-1 only. */
function safeReason(reason: string): string {
  return reason.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
}

export function send(
  response: ServerResponse,
  { status, reason, body }: Answer,
  acceptsGzip: boolean,
  now: Date,
): void {
  const date = now.toUTCString()
  const plain = Buffer.from(body?.text ?? '')
  const isLarge = acceptsGzip && plain.length > 1024
  const bytes = isLarge ? gzipSync(plain) : plain
  response.writeHead(status, safeReason(reason), {
    'Cache-Control': 'max-age=0',
    Connection: status >= 400 ? 'close' : 'Keep-Alive',
    Date: date,
    Pragma: 'no-cache',
    Server: 'pve-api-daemon/3.0',
    Expires: date,
    ...(body === undefined ? {} : { 'Content-Type': body.type }),
    ...(isLarge ? { 'Content-Encoding': 'gzip' } : {}),
    'Content-Length': bytes.length,
  })
  response.end(bytes)
}
