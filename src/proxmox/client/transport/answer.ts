import { JsonTooLarge, parseJson } from '../../../reach/parse-json.js'
import type { ErrorRule } from '../../model/error-rule.js'
import { ProxmoxError } from '../../model/proxmox-error.js'
import { fieldsOf, findNumber, findText } from '../fields.js'
import type { Call, Envelope } from './call.js'
import type { Endpoint } from './endpoints.js'
import type { HttpAnswer } from './exchange.js'

const notProxmox: ErrorRule = {
  kind: 'not-proxmox',
  pattern: /$/,
  message: () => 'The answer is not one of the Proxmox API.',
  fix: 'Check that proxmox.endpoint is a Proxmox host and not another web server, proxy or login page.',
}

/** With these statuses, from Proxmox or from a proxy in front of it, the call may have been executed. */
const undecided = [502, 503, 504, 596, 597, 598, 599]

/** The data of a successful response; everything else becomes an error with Proxmox's message. */
export function interpret(
  call: Call,
  { endpoint, answer }: { endpoint: Endpoint; answer: HttpAnswer },
  refusal?: ErrorRule,
): Envelope {
  const body = bodyOf(call, endpoint, answer)
  if (answer.status === 200 && body !== undefined && 'data' in body) {
    const total = findNumber(body, 'total')
    return { data: body.data, ...(total === undefined ? {} : { total }) }
  }
  const { method, path } = call
  const isWrite = method !== 'GET'
  const facts = { method, path, endpoint: endpoint.name, status: answer.status }
  const isUndecided = undecided.includes(answer.status)
  const isPage = answer.contentType.startsWith('text/html') && !isUndecided
  if (answer.status < 400 || isPage) {
    const reason = `${answer.contentType || 'no content type'}, ${answer.body.byteLength} bytes`
    const outcome = isWrite && answer.status < 300 ? 'unknown' : 'failed'
    throw new ProxmoxError({ ...facts, reason, outcome, rule: notProxmox })
  }
  throw new ProxmoxError({
    ...facts,
    reason: wordsOf(answer, body),
    errors: errorsOf(body),
    outcome: isWrite && isUndecided ? 'unknown' : 'failed',
    ...(answer.status === 401 && refusal !== undefined ? { rule: refusal } : {}),
  })
}

/** No Proxmox response is that long. */
export function tooLongError({ method, path }: Call, endpoint: Endpoint, cause: Error): ProxmoxError {
  const outcome = method === 'GET' ? 'failed' : 'unknown'
  return new ProxmoxError({
    method,
    path,
    endpoint: endpoint.name,
    status: 200,
    reason: cause.message,
    outcome,
    rule: notProxmox,
    cause,
  })
}

/** The message in the body has all lines; old versions and 401, 595, 596 have only the reason phrase. */
function wordsOf(answer: HttpAnswer, body: Record<string, unknown> | undefined): string {
  return (findText(body ?? {}, 'message')?.trim() || answer.reason || `status ${answer.status}`).trim()
}

function errorsOf(body: Record<string, unknown> | undefined): Record<string, string> {
  const entries = Object.entries(fieldsOf(body?.errors))
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value).trim()]))
}

function bodyOf(call: Call, endpoint: Endpoint, { body }: HttpAnswer): Record<string, unknown> | undefined {
  try {
    const parsed = parseJson(body.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined
  } catch (thrown) {
    if (thrown instanceof JsonTooLarge) throw tooLongError(call, endpoint, thrown)
    return undefined
  }
}
