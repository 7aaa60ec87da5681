import { normalise, normaliseText } from './normalise.js'
import type { Exchange } from './recording.js'
import { type Answer, parse } from './wire.js'

/** How the lab's answer to one recorded request differs from the recorded one; empty when it does not. */
export function differenceOf(exchange: Exchange, answer: Answer, back: (text: string) => string): string {
  const { response, request } = exchange
  const body = parse(back(JSON.stringify(answer.body)))
  const isText = typeof response.body === 'string'
  const wanted = {
    status: response.status,
    reason: normaliseText(response.reason ?? ''),
    body: isText ? normaliseText(bodyText(request.method, response.body)) : normalise(response.body),
  }
  const seen = {
    status: answer.status,
    reason: normaliseText(back(answer.reason ?? '')),
    body:
      typeof body === 'string' || isText
        ? normaliseText(bodyText(request.method, typeof body === 'string' ? body : JSON.stringify(body)))
        : normalise(body),
  }
  const [left, right] = [JSON.stringify(wanted), JSON.stringify(seen)]
  return left === right ? '' : `recorded ${left}\n     lab ${right}`
}

/** The same for what was read back after a change. */
export function differenceInReadBack(
  wanted: Readonly<Record<string, unknown>>,
  seen: Readonly<Record<string, unknown>>,
): string {
  const [left, right] = [JSON.stringify(normalise(wanted)), JSON.stringify(normalise(seen))]
  return left === right ? '' : `recorded ${left}\n     lab ${right}`
}

/** The recorder kept the head of answers to HEAD where others have a body. */
function bodyText(method: string, body: unknown): string {
  if (method === 'HEAD') return ''
  const text = String(body)
  return text.startsWith('<!DOCTYPE html>') ? '<page>' : text
}
