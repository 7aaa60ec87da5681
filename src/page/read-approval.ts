import type { IncomingMessage } from 'node:http'

/** What a person agreed to on the page. */
export interface Approval {
  /** Of the plan that was on the screen. */
  readonly digest: string
  /** The cluster's name as it was typed; empty where nothing had to be typed. */
  readonly name: string
}

const maxBytes = 4096

/** `undefined`: it is not one. */
export async function readApproval(request: IncomingMessage): Promise<Approval | undefined> {
  if (request.headers['content-type'] !== 'application/json') return undefined
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > maxBytes) return undefined
  }
  try {
    const { digest, name } = JSON.parse(text) as { digest?: unknown; name?: unknown }
    return typeof digest === 'string' && typeof name === 'string' ? { digest, name } : undefined
  } catch {
    return undefined
  }
}
