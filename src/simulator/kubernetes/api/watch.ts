import type { ServerResponse } from 'node:http'
import type { ClusterState } from '../cluster-state.js'
import type { StoredObject } from '../object.js'
import type { Change } from '../object-store.js'
import { type Resource, resourceKey } from '../resources.js'
import { StatusError } from '../status-error.js'
import type { View } from './list.js'

export interface WatchRequest {
  readonly resource: Resource
  readonly view: View
  readonly query: URLSearchParams
  /** Converts an object to the form that the client requested. */
  readonly present: (object: StoredObject) => object
}

const bookmarkEveryMs = 60_000

/** Streams changes until the client disconnects or the time is over. */
export function serveWatch(state: ClusterState, response: ServerResponse, request: WatchRequest): void {
  const since = request.query.get('resourceVersion') ?? ''
  const missed = since === '' || since === '0' ? [] : state.objects.changesSince(Number(since))
  response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
  const send = (type: string, object: object) => void response.write(`${JSON.stringify({ type, object })}\n`)
  if (missed === undefined) {
    const gone = new StatusError(410, 'Expired', `too old resource version: ${since} (${state.objects.revision})`)
    send('ERROR', gone.toStatus())
    response.end()
    return
  }
  response.flushHeaders()
  if (wantsInitialEvents(request.query, since)) sendInitial(state, request, send)
  for (const change of missed) notify(change, request, send)
  const stop = state.objects.subscribe((change) => notify(change, request, send))
  const endTimers = startTimers(state, response, request, send)
  response.on('close', () => {
    stop()
    endTimers()
  })
}

type Send = (type: string, object: object) => void

function wantsInitialEvents(query: URLSearchParams, since: string): boolean {
  return query.get('sendInitialEvents') === 'true' || since === '' || since === '0'
}

function sendInitial(state: ClusterState, { resource, view, query, present }: WatchRequest, send: Send) {
  for (const object of state.objects.list(resourceKey(resource)).filter(view)) send('ADDED', present(object))
  if (query.get('sendInitialEvents') === 'true')
    send('BOOKMARK', bookmark(state, resource, { 'k8s.io/initial-events-end': 'true' }))
}

function notify(change: Change, { resource, view, present }: WatchRequest, send: Send) {
  if (change.resource !== resourceKey(resource)) return
  const isIn = view(change.object)
  const wasIn = change.before !== undefined && view(change.before)
  if (change.type === 'DELETED') {
    if (wasIn) send('DELETED', present(change.object))
  } else if (isIn) send(wasIn ? 'MODIFIED' : 'ADDED', present(change.object))
  else if (wasIn) send('DELETED', present(change.object))
}

function startTimers(state: ClusterState, response: ServerResponse, { resource, query }: WatchRequest, send: Send) {
  const cancels: (() => void)[] = []
  if (query.get('allowWatchBookmarks') === 'true') {
    const again = () => {
      send('BOOKMARK', bookmark(state, resource, {}))
      cancels[0] = state.clock.after(bookmarkEveryMs, again)
    }
    cancels.push(state.clock.after(bookmarkEveryMs, again))
  }
  const timeout = Number(query.get('timeoutSeconds') ?? 0)
  if (timeout > 0) cancels.push(state.clock.after(timeout * 1000, () => response.end()))
  return () => {
    for (const cancel of cancels) cancel()
  }
}

function bookmark(
  state: ClusterState,
  { kind, group, versions }: Resource,
  annotations: Record<string, string>,
): object {
  const apiVersion = group === '' ? versions[0] : `${group}/${versions[0]}`
  return {
    kind,
    apiVersion,
    metadata: { resourceVersion: String(state.objects.revision), creationTimestamp: null, annotations },
  }
}
