import type { Target } from '../../reach/dialer.js'
import { findText, listOf, text } from './fields.js'
import type { ProxmoxApi } from './transport/api.js'
import type { Endpoints, KnownHost } from './transport/endpoints.js'

/**
 * The same API, which once, with the first write, queries the cluster for its other hosts, because the named host may
 * fail. Their certificates are pinned to what the trusted host reports.
 */
export function learnEndpoints(
  api: ProxmoxApi,
  endpoints: Endpoints,
  named: readonly Target[],
  closing: AbortSignal,
  onLearned: (hosts: readonly KnownHost[]) => void = () => {},
): ProxmoxApi {
  let isAsked = false

  const learn = async () => {
    const [status, nodes] = await Promise.all([
      api.get('/cluster/status', {}, closing),
      api.get('/nodes', {}, closing).then(listOf),
    ])
    const hosts = listOf(status).flatMap((host): KnownHost[] => {
      const address = findText(host, 'ip')
      const sha256 = findText(nodes.find((node) => text(node, 'node') === text(host, 'name')) ?? {}, 'ssl_fingerprint')
      return address === undefined || sha256 === undefined ? [] : [{ address, port: named[0]?.port ?? 8006, sha256 }]
    })
    for (const host of hosts) endpoints.learn(host)
    onLearned(hosts)
  }

  const beside =
    <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      if (!isAsked) {
        isAsked = true
        learn().catch(() => undefined)
      }
      return write(...args)
    }

  return {
    ...api,
    call: (call, signal) => (call.method === 'GET' ? api.call(call, signal) : beside(api.call)(call, signal)),
    post: beside(api.post),
    put: beside(api.put),
    delete: beside(api.delete),
  }
}
