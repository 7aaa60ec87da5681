import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { html, icon, type PageAssets } from './assets.js'
import { safeHeaders } from './guard.js'
import { followJournal } from './journals.js'
import { readApproval } from './read-approval.js'
import type { PageState } from './state.js'
import { failureOf, type PageCluster, type WatchedCluster } from './watched-cluster.js'

/** What the page shows, and how. */
export interface PageContent {
  readonly clusters: readonly PageCluster[]
  readonly assets: PageAssets
  readonly ichorVersion: string
  readonly commands: PageState['commands']
  readonly everyMs: number
  readonly signal: AbortSignal
}

export interface Call {
  readonly url: URL
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly clusters: readonly WatchedCluster[]
  readonly content: PageContent
  /** When the link is worth nothing any more with which this was asked. */
  readonly expired: AbortSignal
}

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** It shows something of a cluster. The empty page does not: the browser asks for it before it knows the token. */
  readonly needsToken: boolean
  answer(call: Call): Promise<void>
}

const heartbeatMs = 15_000

/** Every address of the page. GET changes nothing. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/', needsToken: false, answer: async ({ response }) => send(response, 'text/html', html) },
  {
    method: 'GET',
    path: '/page.js',
    needsToken: false,
    answer: async ({ response, content }) => send(response, 'text/javascript', content.assets.script),
  },
  {
    method: 'GET',
    path: '/page.css',
    needsToken: false,
    answer: async ({ response, content }) => send(response, 'text/css', content.assets.style),
  },
  {
    method: 'GET',
    path: '/icon.svg',
    needsToken: false,
    answer: async ({ response }) => send(response, 'image/svg+xml', icon),
  },
  { method: 'GET', path: '/state', needsToken: true, answer: answerState },
  {
    method: 'GET',
    path: '/plan',
    needsToken: true,
    answer: async (call) => sendJson(call.response, await named(call)?.plan(call.content.signal)),
  },
  {
    method: 'GET',
    path: '/run',
    needsToken: true,
    answer: async (call) =>
      sendJson(call.response, await named(call)?.journals.events(call.url.searchParams.get('run') ?? '')),
  },
  { method: 'GET', path: '/events', needsToken: true, answer: streamEvents },
  { method: 'POST', path: '/look', needsToken: true, answer: lookNow },
  { method: 'POST', path: '/carry-out', needsToken: true, answer: carryOut },
]

/** All of it only if there is something new since what the page has. */
async function answerState({ request, response, clusters, content }: Call): Promise<void> {
  const states = await Promise.all(clusters.map((cluster) => cluster.state()))
  const seen = JSON.stringify(states.map(({ looks, runs }) => [looks, runs]))
  const etag = `"${createHash('sha256').update(seen).digest('base64url')}"`
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { ...safeHeaders, etag }).end()
  const state: PageState = {
    version: 1,
    ichor_version: content.ichorVersion,
    at: new Date().toISOString(),
    may_change: content.clusters.some(({ carryOut: may }) => may !== undefined),
    clusters: states,
    commands: content.commands,
  }
  send(response, 'application/json', JSON.stringify(state), { etag })
}

async function lookNow(call: Call): Promise<void> {
  await named(call)?.lookNow(call.content.everyMs, call.content.signal)
  sendJson(call.response, {})
}

/** The events of a run as they are written, by this process or another. */
async function streamEvents(call: Call): Promise<void> {
  const { url, request, response, content, expired } = call
  const path = await named(call)?.journals.find(url.searchParams.get('run') ?? '')
  if (path === undefined) return refuse(response, 404, 'there is no such run')
  const gone = new AbortController()
  request.once('close', () => gone.abort())
  response.once('close', () => gone.abort())
  response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream' })
  response.write(': the events of a run\n\n')
  const beating = setInterval(() => response.write(':\n\n'), heartbeatMs)
  const signal = AbortSignal.any([gone.signal, content.signal, expired])
  try {
    for await (const event of followJournal(path, Number(url.searchParams.get('since') ?? 0), signal)) {
      const isTaken = response.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
      if (!isTaken && !signal.aborted) await drained(response, signal)
    }
  } finally {
    clearInterval(beating)
    response.end()
  }
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    response.once('drain', done)
    signal.addEventListener('abort', done, { once: true })
  })
}

/** Begins to carry out the plan with the digest that was sent; its run is then followed like any other. */
async function carryOut(call: Call): Promise<void> {
  const { request, response, content } = call
  const { cluster } = named(call) ?? {}
  if (cluster?.carryOut === undefined)
    return refuse(response, 403, 'this page changes nothing: run ichor ui --allow-changes')
  const approval = await readApproval(request)
  if (approval === undefined) return refuse(response, 400, 'this is not an approval')
  const answer = await named(call)?.plan(content.signal)
  const plan = answer?.plan
  if (plan === undefined || plan === null) return refuse(response, 409, answer?.failure?.problem ?? 'there is no plan')
  if (plan.digest !== approval.digest) return refuse(response, 409, 'this is not the plan any more: look at it again')
  const isGrave = plan.steps.some(({ disruptive, loses }) => disruptive || loses.length > 0)
  if (isGrave && approval.name !== cluster.name)
    return refuse(response, 409, `it interrupts or loses something: type ${cluster.name}`)
  try {
    await cluster.carryOut(plan.digest, content.signal)
  } catch (thrown) {
    return refuse(response, 409, failureOf(thrown).problem)
  }
  sendJson(response, {})
}

function named({ url, clusters }: Call): WatchedCluster | undefined {
  return clusters[Number(url.searchParams.get('cluster') ?? 0)]
}

function sendJson(response: ServerResponse, value: object | undefined): void {
  if (value === undefined) refuse(response, 404, 'there is nothing here')
  else send(response, 'application/json', JSON.stringify(value))
}

function send(response: ServerResponse, type: string, text: string, headers: OutgoingHttpHeaders = {}): void {
  response.writeHead(200, { ...safeHeaders, ...headers, 'content-type': `${type}; charset=utf-8` })
  response.end(text)
}

export function refuse(response: ServerResponse, code: number, why: string): void {
  response.writeHead(code, { ...safeHeaders, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ problem: why }))
}
