import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, type AgentOptions, request as startRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Dialer } from '../reach/dialer.js'
import { createKeptConnections, type KeptConnections } from '../reach/kept-connections.js'
import { JsonTooLarge, parseJson } from '../reach/parse-json.js'
import { BodyTooLong, readBody } from '../reach/read-body.js'
import { secureConnect } from '../reach/tls.js'
import type { Clock } from '../world.js'
import { errorFromStatus, type KubernetesError, unreachable } from './kubernetes-error.js'
import type { KubernetesCredentials } from './port.js'

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** For errors: `apply`, and `Deployment kube-system/coredns`. */
  readonly verb: string
  readonly object: string
}

export interface Transport {
  /** The parsed response of a successful call. */
  json(call: Call, signal: AbortSignal): Promise<unknown>
  text(call: Call, signal: AbortSignal): Promise<string>
}

export interface Endpoint {
  readonly host: string
  readonly port: number
}

export interface TransportOptions {
  readonly dialer: Dialer
  readonly clock: Clock
  readonly credentials: () => Promise<Credentials>
  /** The longest pause within a response. */
  readonly silenceMs?: number
}

/** Our credentials: an admin certificate, or a service account token. */
type Credentials = KubernetesCredentials | { readonly ca: string; readonly token: string }

const retryDelaysMs = [250, 1_000, 2_500, 5_000]
const answerTimeoutMs = 35_000
/** A page of a list holds at most 500 objects; only the last lines of a log are requested. */
const bodyLimits = { maxBytes: 64 * 1024 * 1024, silenceMs: 15_000, deadlineMs: 60_000 }
/** Statuses with which an API server reports that it, or its etcd, is starting or stopping. */
const passing = new Set([429, 500, 502, 503, 504])

/**
 * Calls through the dialer's sockets to the first endpoint that responds; the next one is tried if it stops responding.
 * All our calls can be repeated: applies, patches, deletions and evictions lead to the same state.
 */
export function createTransport(
  options: TransportOptions,
  endpoints: readonly Endpoint[],
  agents: AgentPool,
): Transport {
  const limits = { ...bodyLimits, silenceMs: options.silenceMs ?? bodyLimits.silenceMs }
  const readAll = async (response: IncomingMessage) => (await readBody(response, limits)).toString()
  let preferred = 0
  const current = () => endpoints[preferred % endpoints.length] ?? { host: '', port: 0 }

  /** The response, or the error and whether it is transient. */
  const attempt = async <T>(call: Call, read: Read<T>, signal: AbortSignal): Promise<Outcome<T>> => {
    const endpoint = current()
    const place = { ...call, where: whereOf(endpoint, call) }
    try {
      const response = await send(await agents.at(endpoint), endpoint, call, signal)
      const status = response.statusCode ?? 0
      if (status < 400) return { answer: await read(response) }
      // A CA rotation issues new credentials: the next call requests them.
      if (status === 401) agents.renew()
      // Its etcd may be unwell, and that of another control plane well.
      if (status >= 500) preferred++
      const error = errorFromStatus(place, status, parse(await readAll(response)))
      return { error, mayPass: passing.has(status) && !isForCaller(call, status) }
    } catch (error) {
      preferred++
      return {
        error: unreachable(place, error),
        mayPass: !(error instanceof BodyTooLong || error instanceof JsonTooLarge),
      }
    }
  }
  const open = async <T>(call: Call, read: Read<T>, signal: AbortSignal): Promise<T> => {
    // Many parallel calls listen to the signal of the run; this is not a leak.
    setMaxListeners(0, signal)
    for (let tries = 0; ; tries++) {
      const outcome = await attempt(call, read, signal)
      if ('answer' in outcome) return outcome.answer
      signal.throwIfAborted()
      const delay = tries < endpoints.length - 1 ? 0 : retryDelaysMs[tries - endpoints.length + 1]
      if (!outcome.mayPass || delay === undefined) throw outcome.error
      await options.clock.sleep(delay, signal)
    }
  }

  return {
    json: (call, signal) => open(call, async (response) => parse(await readAll(response)), signal),
    text: (call, signal) => open(call, readAll, signal),
  }
}

type Read<T> = (response: IncomingMessage) => Promise<T>
type Outcome<T> = { readonly answer: T } | { readonly error: KubernetesError; readonly mayPass: boolean }

/** The caller waits for an eviction that a budget forbids, an unreachable kubelet, and the right key. */
function isForCaller({ verb }: Call, status: number): boolean {
  return (verb === 'evict' || verb === 'reach' || verb === 'decrypt') && (status === 429 || status === 500)
}

function whereOf({ host, port }: Endpoint, { method, path }: Call): string {
  return `${method} https://${host}:${port}${path}`
}

/** One connection pool per endpoint, with the current credentials. */
export class AgentPool {
  readonly #options: TransportOptions
  readonly #agents: KeptConnections<DialingAgent>
  #credentials: Credentials | undefined

  constructor(options: TransportOptions) {
    this.#options = options
    this.#agents = createKeptConnections({
      monotonic: () => options.clock.monotonic(),
      isBusy: (agent) => Object.keys(agent.sockets).length > 0,
      close: (agent) => agent.retire(),
    })
  }

  async at(endpoint: Endpoint): Promise<DialingAgent> {
    const credentials = await this.#options.credentials()
    if (credentials !== this.#credentials) this.#agents.clear()
    this.#credentials = credentials
    return this.#agents.get(
      `${endpoint.host}:${endpoint.port}`,
      () => new DialingAgent(this.#options.dialer, endpoint, credentials),
    )
  }

  /** The next call opens new connections; busy ones may finish. */
  renew(): void {
    this.#agents.clear()
  }

  close(): void {
    for (const agent of this.#agents.all()) agent.destroy()
    this.#agents.clear()
  }
}

class DialingAgent extends Agent {
  readonly #dialer: Dialer
  readonly #endpoint: Endpoint
  readonly #credentials: Credentials

  constructor(dialer: Dialer, endpoint: Endpoint, credentials: Credentials) {
    super({ keepAlive: true, maxSockets: 32 })
    this.#dialer = dialer
    this.#endpoint = endpoint
    this.#credentials = credentials
  }

  get token(): string | undefined {
    return 'token' in this.#credentials ? this.#credentials.token : undefined
  }

  /** Busy connections finish their call and are then closed. */
  retire(): void {
    this.maxFreeSockets = 0
    for (const socket of Object.values(this.freeSockets).flat()) socket?.destroy()
  }

  createConnection(_: AgentOptions, callback: (error: Error | null, stream: Duplex) => void): undefined {
    const credentials = this.#credentials
    const secured = secureConnect(
      this.#dialer,
      this.#endpoint,
      { trust: { ca: credentials.ca }, ...('crt' in credentials ? { clientCert: credentials } : {}) },
      AbortSignal.timeout(15_000),
    )
    secured.then(
      (socket) => callback(null, socket),
      // The types require a stream besides the error, but Node.js ignores it.
      (error: Error) => callback(error, undefined as unknown as Duplex),
    )
    return undefined
  }
}

function send(agent: DialingAgent, endpoint: Endpoint, call: Call, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const request = startRequest({
      agent,
      host: endpoint.host,
      port: endpoint.port,
      method: call.method,
      path: `${call.path}${queryOf(call.query)}`,
      headers: {
        accept: 'application/json',
        'user-agent': 'ichor',
        ...call.headers,
        ...(agent.token === undefined ? {} : { authorization: `Bearer ${agent.token}` }),
        ...(body === undefined
          ? {}
          : { 'content-type': call.contentType ?? 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
      signal,
    })
    request.setTimeout(answerTimeoutMs, () => {
      if (!isAnswered) request.destroy(new Error(`no answer within ${answerTimeoutMs / 1000} s`))
    })
    request.once('response', (response) => {
      isAnswered = true
      resolve(response)
    })
    request.once('error', reject)
    request.end(body)
  })
}

function queryOf(query: Call['query']): string {
  const given = Object.entries(query ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (thrown) {
    if (thrown instanceof JsonTooLarge) throw thrown
    return undefined
  }
}
