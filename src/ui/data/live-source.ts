import type { RunEvent } from '../../events/event.js'
import type { PageState, PlanAnswer } from '../../page/state.js'
import { eventsOfStream } from './event-stream.js'
import type { FollowRequest, Source } from './source.js'

/** The server refused the token: this page will never get anything again. */
export class LinkExpired extends Error {}

const retryMs = 1000

export function liveSource(token: string): Source {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = {
      'x-ichor-token': token,
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...init.headers,
    }
    const response = await fetch(path, { ...init, headers, cache: 'no-store' })
    if (response.ok || response.status === 304) return response
    const { problem } = (await response.json().catch(() => ({}))) as { problem?: string }
    const text = problem ?? `the server answered ${response.status}`
    throw response.status === 403 ? new LinkExpired(text) : new Error(text)
  }
  const get = async <T>(path: string): Promise<T> => (await ask(path)).json() as Promise<T>
  const post = async (path: string, body: object) => {
    await ask(path, { method: 'POST', body: JSON.stringify(body) })
  }
  let version: string | null = null
  const state = async (): Promise<PageState | undefined> => {
    const response = await ask('/state', version === null ? {} : { headers: { 'if-none-match': version } })
    if (response.status === 304) return undefined
    version = response.headers.get('etag')
    return (await response.json()) as PageState
  }
  return {
    isLive: true,
    state,
    plan: (cluster) => get<PlanAnswer>(`/plan?cluster=${cluster}`),
    run: (cluster, run) => get<RunEvent[]>(`/run?cluster=${cluster}&run=${encodeURIComponent(run)}`),
    follow: (request) => follow(request, ask),
    lookNow: (cluster) => post(`/look?cluster=${cluster}`, {}),
    carryOut: (cluster, approval) => post(`/carry-out?cluster=${cluster}`, approval),
  }
}

/** After a cut it asks again for what it has not seen. */
async function follow(
  { cluster, run, since, signal, onEvents, onLink }: FollowRequest,
  ask: (path: string, init: RequestInit) => Promise<Response>,
): Promise<void> {
  let seen = since
  while (!signal.aborted) {
    try {
      const response = await ask(`/events?cluster=${cluster}&run=${encodeURIComponent(run)}&since=${seen}`, { signal })
      onLink(true)
      for await (const events of eventsOfStream(response)) {
        const fresh = events.filter(({ seq }) => seq > seen)
        seen = fresh.at(-1)?.seq ?? seen
        if (fresh.length > 0) onEvents(fresh)
      }
    } catch (thrown) {
      if (thrown instanceof LinkExpired) throw thrown
    }
    if (signal.aborted) return
    onLink(false)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}
