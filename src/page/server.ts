import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reasonOf, UsageError } from '../errors.js'
import { idleMs, newToken, refusalOf } from './guard.js'
import { type PageContent, refuse, routes } from './routes.js'
import { failureOf, WatchedCluster } from './watched-cluster.js'

export interface PageOptions extends Omit<PageContent, 'everyMs'> {
  /** 0: any free one. */
  readonly port: number
  /** The link, at the start and each time that the last one expired. */
  onLink(url: string): void
  readonly everyMs?: number
  readonly idleMs?: number
}

export interface PageServer {
  readonly port: number
  close(): Promise<void>
}

const usualEveryMs = 10_000
/** A page is open if it asked for something within this time. */
const watchedMs = 30_000

/** Serves the page on the loopback interface until it is closed. */
export async function servePage(options: PageOptions): Promise<PageServer> {
  const { signal, everyMs = usualEveryMs } = options
  const content = { ...options, everyMs }
  const clusters = options.clusters.map((cluster) => new WatchedCluster(cluster))
  let token = newToken()
  let expired = new AbortController()
  let port = 0
  let usedAt = performance.now()
  const showLink = () => options.onLink(`http://127.0.0.1:${port}/#token=${token}`)
  const server = createServer((request, response) => {
    const url = urlOf(request.url)
    const route = routes.find(({ method, path }) => path === url?.pathname && method === request.method)
    const refusal = refusalOf(request, { port, token, needsToken: route?.needsToken ?? true })
    if (refusal !== undefined) return refuse(response, 403, refusal)
    if (url === undefined || route === undefined) return refuse(response, 404, 'there is nothing here')
    if (route.needsToken) usedAt = performance.now()
    route.answer({ url, request, response, clusters, content, expired: expired.signal }).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy()
      else refuse(response, 500, failureOf(thrown).problem)
    })
  })
  server.requestTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(options.port, error)))
    server.listen(options.port, '127.0.0.1', resolve)
  })
  port = (server.address() as AddressInfo).port
  showLink()
  const lookAll = () => {
    if (performance.now() - usedAt > watchedMs) return
    for (const cluster of clusters) void cluster.lookAgain(everyMs, signal)
  }
  const watching = setInterval(lookAll, Math.min(1000, everyMs))
  const expiring = setInterval(
    () => {
      if (performance.now() - usedAt < (options.idleMs ?? idleMs)) return
      token = newToken()
      expired.abort()
      expired = new AbortController()
      usedAt = performance.now() - watchedMs
      showLink()
    },
    Math.min(60_000, (options.idleMs ?? idleMs) / 2),
  )
  lookAll()
  return {
    port,
    close: async () => {
      clearInterval(watching)
      clearInterval(expiring)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** `undefined` for what is no path, such as `//`. */
function urlOf(path = '/'): URL | undefined {
  return URL.canParse(path, 'http://page') ? new URL(path, 'http://page') : undefined
}

function cannotListen(port: number, error: Error): UsageError {
  return new UsageError(`The page cannot be served on port ${port}: ${reasonOf(error)}.`, {
    where: '--port',
    fix: 'Choose another port, or leave --port away for a free one.',
  })
}
