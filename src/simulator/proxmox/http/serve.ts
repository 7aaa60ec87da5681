import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultAction, FaultRule, Faults } from '../../core/faults.js'
import { authenticate } from '../access/authenticate.js'
import { passGate } from '../access/gate.js'
import { type Identity, nameOf, type Permissions } from '../access/permissions.js'
import { ApiError, badParameters, died, forbidden } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { narrowToken, revokeToken } from '../order-trouble.js'
import { isListed, overlaid, seenFrom } from '../quorum.js'
import { verifyParameters } from '../schema/verify.js'
import { untilAwake } from '../trouble.js'
import { type Answer, failure, send, success } from './answer.js'
import type { Call } from './call.js'
import { parseUpload } from './multipart.js'
import { PlainError } from './plain-error.js'
import { type RawRequest, readBody, readTarget } from './read-request.js'
import { decodePath, type Route, type Router } from './router.js'

/** One line of the lab's log. */
export interface ServedRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number
  /** Real milliseconds. */
  readonly ms: number
  readonly mutating: boolean
  readonly user: string
  /** The VM that it creates. */
  readonly newVmid?: number
  /** PID of the calling process, if reported. */
  readonly pid?: number
}

export interface Service {
  readonly datacenter: Datacenter
  readonly permissions: Permissions
  readonly router: Router
  readonly faults: Faults
  /** Model time that a 401 takes. */
  readonly refusalMs: number
  served(request: ServedRequest): void
  unknown(request: string): void
  killCaller(): void
}

const world = new Set(['GET /access/domains', 'GET /access/ticket', 'POST /access/ticket', 'POST /access/vncticket'])

/** Handles one request to one host. */
export async function serve(
  service: Service,
  entry: string,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (hasTooManyHeaders(message)) return void message.socket.destroy()
  const started = performance.now()
  const at = service.datacenter.clock.now()
  let target: RawRequest = { method: message.method ?? 'GET', path: message.url ?? '/', format: 'json', query: {} }
  let user = ''
  let rule: FaultRule | undefined
  let early: EarlyBody = {}
  let answer: Answer
  try {
    target = readTarget(message)
    await untilAwake(service.datacenter.trouble, entry)
    early = await readEarly(target, message)
    rule = meetFault(service, entry, target, early)
    if (rule?.action.kind === 'refuse') return void message.socket.destroy()
    await applyFault(service, rule, message)
    const found = await identify(service, target, message)
    user = found === undefined ? '' : nameOf(found)
    const carryOut = () =>
      act(service, { entry, target, message, body: early.body, identity: found, action: rule?.action })
    answer = isOfTasks(rule?.action)
      ? await service.datacenter.tasks.applyFault(rule.action, carryOut)
      : await carryOut()
  } catch (error) {
    answer = await toAnswer(service, error, target.format)
  }
  service.served({
    at,
    method: target.method,
    path: target.path,
    status: answer.status,
    ms: Math.round(performance.now() - started),
    mutating: target.method !== 'GET',
    user,
    ...(early.newVmid === undefined ? {} : { newVmid: early.newVmid }),
    ...pidOf(message),
  })
  deliver(service, rule, message, response, answer)
}

const proxyTimeoutMs = 30_000
/** Seen on Proxmox 9.2, of a host that is known to be gone. */
const noRouteMs = 1600
const maxHeaders = 64
const largestHead = 8192

function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length / 2 > maxHeaders || rawHeaders.reduce((sum, text) => sum + text.length + 2, 0) > largestHead
}

type Body = Awaited<ReturnType<typeof readBody>>

/** Rules about a VM also apply to the call that creates it, whose body names it. */
async function readEarly({ method, path }: RawRequest, message: IncomingMessage): Promise<EarlyBody> {
  if (method !== 'POST' || !/^\/nodes\/[^/]+\/qemu(\/\d+\/clone)?$/.test(path)) return {}
  const body = readBody(message, method, false)
  const { vmid, newid } = (await body.catch(() => ({}))) as { vmid?: unknown; newid?: unknown }
  const made = Number(newid ?? vmid)
  return { body, ...(Number.isInteger(made) ? { newVmid: made } : {}) }
}

interface EarlyBody {
  readonly body?: Promise<Body>
  readonly newVmid?: number
}

function meetFault(
  { faults }: Service,
  entry: string,
  { method, path }: RawRequest,
  { newVmid }: EarlyBody,
): FaultRule | undefined {
  const [, host = entry, vmid] = /^\/nodes\/([^/]+)(?:\/qemu\/(\d+))?/.exec(path) ?? []
  return faults.meet({
    surface: 'proxmox',
    method,
    path,
    mutating: method !== 'GET',
    host,
    ...(vmid === undefined ? {} : { vmid: Number(vmid) }),
    ...(newVmid === undefined ? {} : { newVmid }),
  })
}

async function applyFault(
  { datacenter }: Service,
  rule: FaultRule | undefined,
  message: IncomingMessage,
): Promise<void> {
  const action = rule?.action
  if (action?.kind === 'revoke-token') revokeToken(datacenter, tokenIdOf(message))
  if (action?.kind === 'narrow-token') narrowToken(datacenter, tokenIdOf(message), action.privileges)
  if (action?.kind === 'delay') await datacenter.clock.sleep(action.modelMs)
  if (action?.kind === 'status')
    throw new ApiError(action.status, `${action.message}\n`, { emptyBody: action.status >= 595 })
}

function tokenIdOf({ headers }: IncomingMessage): string {
  return /^PVEAPIToken[= ]([^=]+)=/.exec(decodePath(headers.authorization ?? ''))?.[1] ?? ''
}

function isOfTasks(action: FaultAction | undefined): action is FaultAction & { kind: 'kill-task' | 'fail-task' } {
  return action?.kind === 'kill-task' || action?.kind === 'fail-task'
}

async function identify(
  service: Service,
  { method, path }: RawRequest,
  message: IncomingMessage,
): Promise<Identity | undefined> {
  const isUpload = method === 'POST' && /^\/nodes\/[^/]+\/storage\/[^/]+\/upload$/.test(path)
  const { cookie, authorization } = message.headers
  const csrf = message.headers.csrfpreventiontoken
  const isOpen = world.has(`${method} ${path}`)
  if (isOpen && authorization === undefined && cookie === undefined) return undefined
  try {
    return authenticate(
      service.datacenter,
      {
        ...(cookie === undefined ? {} : { cookie }),
        ...(authorization === undefined ? {} : { authorization }),
        ...(typeof csrf === 'string' ? { csrf } : {}),
      },
      method !== 'GET' && !isUpload && !isOpen,
    )
  } catch (error) {
    if (isOpen) return undefined
    throw error
  }
}

interface Arrived {
  readonly entry: string
  readonly target: RawRequest
  readonly message: IncomingMessage
  /** If it was read before. */
  readonly body: Promise<Body> | undefined
  readonly identity: Identity | undefined
  readonly action: FaultAction | undefined
}

async function act(service: Service, arrived: Arrived): Promise<Answer> {
  const { entry, target, message, identity, action } = arrived
  const { method, path, format } = target
  const found = service.router.find(method, path)
  const isUpload = found?.route.endpoint.path.endsWith('/upload') === true
  if (isUpload) refuseUploadWithoutRight(service, identity, found.pathParameters)
  if (isUpload && !String(message.headers['content-type']).startsWith('multipart/form-data')) {
    message.socket.destroy()
    throw new PlainError(400, 'not a multipart upload', { emptyBody: true })
  }
  const body = await (arrived.body ?? readBody(message, method, isUpload))
  if (found === undefined) {
    service.unknown(`${method} ${path}`)
    throw new ApiError(501, `Method '${method} ${decodePath(path)}' not implemented`)
  }
  const extra: Record<string, unknown> = {}
  const upload = Buffer.isBuffer(body) ? parseUpload(body, boundaryOf(message)) : undefined
  const given = mergeParameters(
    found.pathParameters,
    target.query,
    upload === undefined ? (body as Record<string, unknown>) : upload.fields,
  )
  const call = await prepare(
    service,
    entry,
    found.route,
    upload === undefined ? given : { ...given, filename: upload.filename },
    identity,
  )
  const data = await found.route.handler({
    ...call,
    extra,
    ...(upload === undefined ? {} : { upload }),
    ...(action?.kind === 'fail-config' ? { failConfig: action } : {}),
  })
  return success(data, extra, format)
}

function boundaryOf(message: IncomingMessage): string {
  return /boundary=([^;]+)/.exec(message.headers['content-type'] ?? '')?.[1] ?? ''
}

function refuseUploadWithoutRight(
  { permissions }: Service,
  identity: Identity | undefined,
  { storage = '' }: Record<string, string>,
): void {
  if (identity !== undefined && permissions.has(identity, `/storage/${storage}`, ['Datastore.AllocateTemplate'])) return
  throw new ApiError(403, `Permission check failed (/storage/${storage}, Datastore.AllocateTemplate)`, {
    emptyBody: true,
  })
}

function mergeParameters(
  path: Record<string, string>,
  query: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...body, ...query }
  delete merged._dc
  for (const [name, value] of Object.entries(path)) {
    if (merged[name] !== undefined && String(merged[name]) !== value)
      throw badParameters({ [name]: 'duplicate parameter (already defined in URI) with conflicting values!' })
    merged[name] = value
  }
  return merged
}

async function prepare(
  service: Service,
  entry: string,
  { endpoint }: Route,
  given: Record<string, unknown>,
  identity: Identity | undefined,
): Promise<Omit<Call, 'extra'>> {
  const { permissions } = service
  const datacenter = viewOf(service.datacenter, entry, endpoint)
  const caller = identity ?? { user: '' }
  if (endpoint.ticketOnly && caller.token !== undefined)
    throw forbidden(`URI '${endpoint.path}' not available with API token, need proper ticket.\n`)
  passGate(endpoint, {
    state: datacenter.state,
    permissions,
    identity: caller,
    parameters: gateParameters(entry, given),
  })
  const node = given.node === undefined ? entry : await nodeOf(datacenter, entry, String(given.node), endpoint.proxied)
  const parameters = verifyParameters(endpoint, given)
  const resolved = given.node === undefined || !endpoint.proxied ? parameters : { ...parameters, node }
  return { datacenter, permissions, identity: caller, parameters: resolved, host: node, entry }
}

/** A host answers from its own copy of the cluster files, and forwards calls for other hosts. */
function viewOf(datacenter: Datacenter, entry: string, { method, proxied }: Route['endpoint']): Datacenter {
  const seen = seenFrom(datacenter, entry)
  const old = method === 'GET' && !proxied ? datacenter.trouble.lagged.find(entry) : undefined
  return old === undefined ? seen : overlaid(seen, old)
}

/** The permission check uses the raw parameters, before their verification. */
function gateParameters(entry: string, given: Record<string, unknown>): Record<string, string> {
  const texts = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )
  return { ...Object.fromEntries(texts), ...(given.node === 'localhost' ? { node: entry } : {}) }
}

/** The host that a call is forwarded to: unknown ones do not resolve, failed ones do not respond. */
async function nodeOf(datacenter: Datacenter, entry: string, node: string, isProxied: boolean): Promise<string> {
  if (!isProxied) return entry
  if (node === 'localhost') return entry
  const host = datacenter.state.hosts[node]
  const unknownHost = datacenter.state.unknownHosts?.[node]
  if (unknownHost !== undefined) throw new ApiError(595, unknownHost, { emptyBody: true })
  if (host === undefined)
    throw died(`hostname lookup '${node}' failed - failed to get address info for: ${node}: Name or service not known`)
  if (!host.online) {
    // Until the cluster notices, packets to it are lost.
    await datacenter.clock.sleep(isListed(datacenter, host) ? proxyTimeoutMs : noRouteMs)
    throw new ApiError(595, 'No route to host', { emptyBody: true })
  }
  if (node !== entry && datacenter.trouble.hung.has(node)) {
    await Promise.race([untilAwake(datacenter.trouble, node), datacenter.clock.sleep(proxyTimeoutMs)])
    if (datacenter.trouble.hung.has(node)) throw new ApiError(596, 'Connection timed out', { emptyBody: true })
  }
  return node
}

async function toAnswer({ datacenter, refusalMs }: Service, error: unknown, format: string): Promise<Answer> {
  const known = error instanceof ApiError ? error : died(error instanceof Error ? error.message : String(error))
  if (known.status === 401) await datacenter.clock.sleep(refusalMs)
  if (!(error instanceof ApiError))
    datacenter.ledger.record({
      at: datacenter.clock.now(),
      surface: 'lab',
      event: 'bug',
      subject: String(error instanceof Error ? error.stack : error),
      mutating: false,
    })
  return failure(known, format, error instanceof PlainError)
}

function pidOf({ headers }: IncomingMessage): { pid?: number } {
  const pid = Number(headers['x-ichor-pid'])
  return Number.isInteger(pid) && pid > 1 ? { pid } : {}
}

function deliver(
  service: Service,
  rule: FaultRule | undefined,
  message: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): void {
  const kind = rule?.action.kind
  if (kind === 'kill-caller') service.killCaller()
  if (kind === 'kill-caller' || kind === 'drop-answer') return void message.socket.destroy()
  if (kind === 'cut-stream') {
    response.writeHead(answer.status, { 'Content-Length': (answer.body?.text.length ?? 0) + 64 })
    response.write((answer.body?.text ?? '').slice(0, (answer.body?.text.length ?? 0) / 2), () =>
      message.socket.destroy(),
    )
    return
  }
  const acceptsGzip = /\bgzip\b/.test(String(message.headers['accept-encoding'] ?? ''))
  send(response, answer, acceptsGzip, new Date(service.datacenter.clock.now()))
}
