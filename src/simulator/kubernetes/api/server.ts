import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { FaultRule } from '../../core/faults.js'
import type { ClusterState } from '../cluster-state.js'
import type { ApiServerOptions } from '../seam.js'
import { StatusError } from '../status-error.js'
import { answerAboutServer, answerReview } from './answer-about-server.js'
import { answerNodeMetrics } from './answer-node-metrics.js'
import { answerNodeProxy } from './answer-node-proxy.js'
import { answerObjects } from './answer-objects.js'
import { authenticate } from './authenticate.js'
import { impersonated } from './authorize.js'
import { type Answer, type Call, readBody } from './call.js'
import { issueServingCertificate } from './certificates.js'
import { parseRoute } from './route.js'
import type { Tokens } from './tokens.js'

export interface ServeContext {
  readonly state: ClusterState
  /** Series of deprecated APIs that clients used. */
  readonly deprecated?: Set<string>
  readonly tokens?: Tokens | undefined
  readonly onKillCaller: (() => void) | undefined
}

/** How long a request waits for an etcd that has lost its majority. */
const etcdTimeoutMs = 7_000

/** One kube-apiserver: TLS on the node's address, or on the VIP. */
export async function startApiServer(
  context: ServeContext,
  options: ApiServerOptions,
): Promise<{ close(): Promise<void> }> {
  const names = [
    options.address,
    options.network.loopbackOf(options.address),
    '127.0.0.1',
    'localhost',
    options.nodeName,
  ]
  const own = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local']
  const serving = await issueServingCertificate(
    options.ca,
    [...names, ...own, ...options.certSans],
    context.state.clock.now(),
  )
  const counting = { ...context, deprecated: new Set<string>() }
  const server = createServer(
    {
      cert: serving.crt,
      key: serving.key,
      ca: [options.ca.crt, ...(options.acceptedCas ?? [])],
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => void serve(counting, options, request, response),
  )
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await options.network.listen(server, options.address, options.port)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function serve(
  context: ServeContext,
  options: ApiServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { state } = context
  const url = new URL(request.url ?? '/', 'https://lab')
  const mutating = request.method !== 'GET' && request.method !== 'HEAD'
  const rule = state.faults.meet({
    surface: 'kubernetes',
    method: request.method ?? 'GET',
    path: url.pathname,
    mutating,
    machine: options.nodeName,
  })
  if (rule?.action.kind === 'refuse') return void request.socket.destroy()
  if (rule?.action.kind === 'delay') await state.clock.sleep(rule.action.modelMs)
  const answer = await answerOrStatus(context, options, request, response, url, rule)
  state.ledger.record({
    at: state.clock.now(),
    surface: 'kubernetes',
    event: 'call',
    subject: `${request.method} ${url.pathname}`,
    mutating,
    detail: { server: options.nodeName, status: answer?.status ?? 200 },
  })
  if (answer === undefined) return
  deliver(context, response, answer, rule)
}

async function answerOrStatus(
  { state, tokens, deprecated = new Set() }: ServeContext,
  options: ApiServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  rule: FaultRule | undefined,
): Promise<Answer> {
  try {
    const caller = authenticate(request.socket as TLSSocket, url.pathname, request.headers.authorization, tokens)
    const user = impersonated(state, caller, request.headers)
    const body = await readBody(request)
    if (rule?.action.kind === 'status') throw new StatusError(rule.action.status, 'InternalError', rule.action.message)
    return await answer(
      {
        state,
        version: options.version,
        tokens,
        deprecated,
        method: request.method ?? 'GET',
        path: url.pathname.length > 1 ? url.pathname.replace(/\/$/, '') : url.pathname,
        query: url.searchParams,
        accept: request.headers.accept ?? '',
        contentType: request.headers['content-type'] ?? '',
        userAgent: request.headers['user-agent'] ?? '',
        user,
        response,
        body,
      },
      options,
    )
  } catch (error) {
    if (error instanceof StatusError) return { status: error.code, body: error.toStatus() }
    const problem = new StatusError(
      500,
      'InternalError',
      `The lab's API failed: ${error instanceof Error ? error.stack : error}`,
    )
    return { status: 500, body: problem.toStatus() }
  }
}

async function answer(call: Call, options: ApiServerOptions): Promise<Answer> {
  const route = parseRoute(call.path)
  if (route !== undefined) countDeprecated(call, route)
  const review = route !== undefined && call.method === 'POST' ? answerReview(route.plural, call) : undefined
  if (review !== undefined) return review
  const metrics = answerNodeMetrics(call)
  if (metrics !== undefined) return metrics
  if (route === undefined || call.path.startsWith('/openapi')) return answerAboutServer(call, options.hasQuorum())
  if (!options.hasQuorum()) {
    await call.state.clock.sleep(etcdTimeoutMs)
    if (!options.hasQuorum()) throw new StatusError(500, 'InternalError', 'etcdserver: request timed out')
  }
  if (route.plural === 'nodes' && route.subresource === 'proxy') return answerNodeProxy(call, options, route.name ?? '')
  return answerObjects(call, route)
}

/** Endpoints are deprecated from 1.33 on, and no release removes them yet. */
function countDeprecated({ version, deprecated }: Call, route: NonNullable<ReturnType<typeof parseRoute>>): void {
  const isOld = Number(version.split('.')[1]) < 33
  if (isOld || route.group !== '' || route.plural !== 'endpoints') return
  deprecated.add('group="",removed_release="",resource="endpoints",subresource="",version="v1"')
}

function deliver(
  { onKillCaller }: ServeContext,
  response: ServerResponse,
  answer: NonNullable<Answer>,
  rule: FaultRule | undefined,
) {
  const isText = typeof answer.body === 'string'
  const text = isText ? (answer.body as string) : JSON.stringify(answer.body)
  const kind = rule?.action.kind
  if (kind === 'kill-caller') onKillCaller?.()
  if (kind === 'drop-answer' || kind === 'kill-caller') return void response.socket?.destroy()
  response.writeHead(answer.status, {
    'content-type': isText ? 'text/plain; charset=utf-8' : contentTypeOf(answer.body as object),
    'content-length': Buffer.byteLength(text),
  })
  if (kind === 'cut-stream')
    return void response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
  response.end(text)
}

function contentTypeOf(body: object): string {
  const isAggregated = (body as { kind?: string }).kind === 'APIGroupDiscoveryList'
  return isAggregated ? 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' : 'application/json'
}
