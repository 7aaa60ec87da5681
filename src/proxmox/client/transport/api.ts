import { setMaxListeners } from 'node:events'
import { BodyTooLong } from '../../../reach/read-body.js'
import { withDeadline } from '../../../reach/with-deadline.js'
import type { Clock } from '../../../world.js'
import { ProxmoxError } from '../../model/proxmox-error.js'
import { interpret, tooLongError } from './answer.js'
import type { Authentication } from './authentication.js'
import type { Call, CallReport, Envelope } from './call.js'
import type { By, Endpoint, Endpoints } from './endpoints.js'
import { exchange, type HttpAnswer, type HttpRequest, Lost, type Method } from './exchange.js'
import { encodeForm, type Form, withQuery } from './form.js'
import { needsProof } from './needs-proof.js'
import { noOfflineHosts, type OfflineHosts } from './offline-hosts.js'
import type { WatchSilence } from './silence-notice.js'
import { type ConnectionFailure, connectionFailure, isDead, offlineError, unreachableError } from './unreachable.js'

/** The connection to Proxmox: authenticated, with deadlines, and with failover to the next host. */
export interface ProxmoxApi {
  readonly identity: string
  call(call: Call, signal: AbortSignal): Promise<Envelope>
  get(path: string, query: Form, signal: AbortSignal): Promise<unknown>
  post(path: string, form: Form, signal: AbortSignal): Promise<unknown>
  put(path: string, form: Form, signal: AbortSignal): Promise<unknown>
  delete(path: string, query: Form, signal: AbortSignal): Promise<unknown>
  /** The hosts' clock at the last response, in milliseconds since 1970; `undefined` before the first. */
  lastHeard(): number | undefined
  /** How far the hosts' clock was ahead of ours at the last response; `undefined` if that harms nothing. */
  clockOffset(): number | undefined
}

export interface ApiOptions {
  readonly endpoints: Endpoints
  readonly authentication: Authentication
  readonly clock: Clock
  readonly deadlineMs: number
  readonly headers?: Readonly<Record<string, string>>
  readonly onCall?: (call: CallReport) => void
  /** Reports a host that does not respond while a call waits for it. */
  readonly watchSilence?: WatchSilence
  /** Queries about an offline host are not sent, and those that wait for one end. */
  readonly offlineHosts?: OfflineHosts
}

const rounds = 4
const firstPauseMs = 250
const slowestBytesPerMs = 500

/** Certificates are backdated by an hour. */
const harmlessMs = 3_600_000

/** The clock of the server against ours, which is later by the time that the call took at most. */
function offsetOf(date: number | undefined, now: number, tookMs: number): number | undefined {
  if (date === undefined || Math.abs(date - now) - tookMs < harmlessMs) return undefined
  return date - now
}

export function createApi(options: ApiOptions): ProxmoxApi {
  const { endpoints, authentication, clock, deadlineMs, headers, onCall, offlineHosts = noOfflineHosts } = options
  const watchSilence: WatchSilence = options.watchSilence ?? ((_host, _what, work) => work())
  let heard: number | undefined
  let offset: number | undefined

  const refuseIfOffline = (call: Call) => {
    const host = offlineHosts.find(call)
    if (host !== undefined) throw offlineError(call, host)
  }

  const attempt = async (endpoint: Endpoint, call: Call, request: HttpRequest, signal: AbortSignal) => {
    refuseIfOffline(call)
    const ms = deadlineMs + Math.ceil((request.body?.byteLength ?? 0) / slowestBytesPerMs)
    const started = clock.monotonic()
    let status: number | undefined
    try {
      const answer = await watchSilence(endpoint.name, `${call.method} ${call.path}`, () =>
        withDeadline(signal, ms, (bounded) =>
          offlineHosts.unlessLost(call, endpoint, bounded, (own) => exchange(endpoint.connections, request, own)),
        ),
      )
      status = answer.status
      heard = answer.date ?? heard
      offset = offsetOf(answer.date, clock.now(), clock.monotonic() - started)
      return answer
    } finally {
      const { method, path } = call
      const took = clock.monotonic() - started
      onCall?.({ method, path, ms: took, mutating: method !== 'GET', ...(status === undefined ? {} : { status }) })
    }
  }

  /**
   * The first endpoint that accepts the request. A write that may have taken effect is not sent to another endpoint.
   */
  const tryEndpoints = async (call: Call, signal: AbortSignal): Promise<{ endpoint: Endpoint; answer: HttpAnswer }> => {
    // Before the gate, because a login passes the same gate.
    const request = encode(call, { ...headers, ...(await authentication.headers(call.method === 'GET')) })
    const failures: ConnectionFailure[] = []
    const candidates = endpoints.inOrder(answeredBy(call))
    for (const endpoint of candidates) {
      try {
        const answer = await endpoint.gate.pass(() => attempt(endpoint, call, request, signal), signal)
        endpoints.answered(endpoint, answeredBy(call))
        return { endpoint, answer }
      } catch (thrown) {
        signal.throwIfAborted()
        if (!(thrown instanceof Lost)) throw thrown
        if (thrown.cause instanceof BodyTooLong) throw tooLongError(call, endpoint, thrown.cause)
        refuseIfOffline(call)
        const failure = connectionFailure(endpoint.target, thrown.cause)
        if (thrown.sent && call.method !== 'GET') throw unreachableError(call, [failure], 'unknown')
        if (isDead(failure)) endpoints.failed(endpoint)
        if (needsProof(call)) throw unreachableError(call, [failure], 'unreached', candidates.length > 1)
        failures.push(failure)
      }
    }
    const [first, ...others] = failures
    if (first === undefined) throw new TypeError('A Proxmox client without endpoints was asked something.')
    throw unreachableError(call, [first, ...others], 'unreached')
  }

  const once = async (call: Call, signal: AbortSignal): Promise<Envelope> => {
    const first = await tryEndpoints(call, signal)
    if (first.answer.status !== 401 || !authentication.renew()) return interpret(call, first, authentication.refusal)
    return interpret(call, await tryEndpoints(call, signal))
  }

  const call = async (request: Call, signal: AbortSignal): Promise<Envelope> => {
    // A run passes one signal to hundreds of parallel calls, and each of them listens to it.
    setMaxListeners(0, signal)
    for (let round = 1; ; round++) {
      try {
        const envelope = await once(request, signal)
        offlineHosts.hear(request, envelope.data)
        return envelope
      } catch (thrown) {
        if (round === rounds || !mayTryAgain(request, thrown)) throw thrown
        if (isGatewayError(thrown) && (await offlineHosts.confirm(request))) throw thrown
        await clock.sleep(firstPauseMs * 2 ** (round - 1), signal)
      }
    }
  }

  const dataOf = (method: Method) => async (path: string, form: Form, signal: AbortSignal) =>
    (await call({ method, path, form }, signal)).data

  return {
    identity: authentication.identity,
    call,
    get: dataOf('GET'),
    post: dataOf('POST'),
    put: dataOf('PUT'),
    delete: dataOf('DELETE'),
    lastHeard: () => heard,
    clockOffset: () => offset,
  }
}

/**
 * A query about a host is forwarded to that host by any other. Other queries are answered from each host's own copy,
 * which may lag by a moment: after taking a lease, the same host must be queried.
 */
function answeredBy({ method, path }: Call): By {
  return method === 'GET' && path.startsWith('/nodes/') ? 'any' : 'same'
}

/** Statuses with which a cluster host reports that another host, or the proxy in front of it, did not respond. */
const gatewayErrors = [502, 503, 504, 595, 596, 597, 598, 599]

/** Reads may be retried; writes only if no host can have received them and no proof of ownership becomes outdated. */
function mayTryAgain(call: Call, thrown: unknown): boolean {
  if (!(thrown instanceof ProxmoxError) || needsProof(call)) return false
  if (thrown.outcome === 'unreached') return thrown.isTransient
  return call.method === 'GET' && (isGatewayError(thrown) || isUnexplained(thrown))
}

function isGatewayError(thrown: unknown): boolean {
  return thrown instanceof ProxmoxError && gatewayErrors.includes(thrown.status ?? 0)
}

/**
 * Proxmox returns 500 for many permanent errors, with known messages; unknown ones may be an internal timeout or lock.
 */
function isUnexplained({ status, kind, isTransient }: ProxmoxError): boolean {
  return status === 500 && (kind === 'other' || isTransient)
}

function encode(call: Call, authentication: Readonly<Record<string, string>>): HttpRequest {
  const { method, form = {}, upload } = call
  const path = `/api2/json${call.path}`
  const headers = { ...authentication, Accept: 'application/json' }
  if (method === 'GET' || method === 'DELETE') return { method, path: withQuery(path, form), headers }
  if (upload !== undefined) {
    return { method, path, headers: { ...headers, 'Content-Type': upload.contentType }, body: upload.body }
  }
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return { method, path, headers: { ...headers, ...type }, body: Buffer.from(encodeForm(form)) }
}
