import { createKeptConnections } from '../reach/kept-connections.js'
import { fieldsOf, textOf } from './answer.js'
import { applyInOrder } from './apply-in-order.js'
import { approveCsr, pendingCsrs } from './csrs.js'
import { parseDeprecatedApis } from './deprecated-apis.js'
import { dialKubelet } from './dial-kubelet.js'
import { drainNode } from './drain.js'
import { chartIn, deployedReleases, helmReleases } from './helm-releases.js'
import { isNotFound, KubernetesError } from './kubernetes-error.js'
import { cordonNode, nodeInfoOf, nodeKind, setNodeLabels, setNodeTaints, uncordonNode } from './nodes.js'
import { createObjectCalls } from './object-calls.js'
import type { KubernetesApi, KubernetesPort } from './port.js'
import { removedBetween, writtenWith } from './removed-apis.js'
import { createResourcePaths } from './resource-paths.js'
import { findSecretsProblem } from './secrets-problem.js'
import { AgentPool, createTransport, type Endpoint, type TransportOptions } from './transport.js'

/** Kubernetes through the common dialer, with admin credentials. */
export function connectKubernetes(options: TransportOptions): KubernetesPort {
  const agents = new AgentPool(options)
  const apis = createKeptConnections<KubernetesApi>({
    monotonic: () => options.clock.monotonic(),
    isBusy: () => false,
    close: () => {},
  })
  return {
    at: (endpoints) => {
      const key = endpoints.map(({ host, port }) => `${host} ${port}`).join()
      return apis.get(key, () => createApi(options, endpoints, agents))
    },
    probe: async (endpoint, credentials, signal) => {
      const given = { ...options, credentials: async () => credentials }
      const own = new AgentPool(given)
      try {
        return await createApi(given, [endpoint], own).version(signal)
      } finally {
        own.close()
      }
    },
    dialKubelet: async (endpoint, node, credentials, signal) => {
      const given = { ...options, credentials: async () => credentials }
      const own = new AgentPool(given)
      try {
        await dialKubelet(createTransport(given, [endpoint], own), endpoint.host, node, signal)
      } finally {
        own.close()
      }
    },
    takesToken: async (endpoint, token, signal) => {
      const { ca } = await options.credentials()
      const given = { ...options, credentials: async () => ({ ca, token }) }
      const own = new AgentPool(given)
      try {
        await createApi(given, [endpoint], own).version(signal)
        return true
      } catch (error) {
        if (error instanceof KubernetesError && error.status === 403) return true
        if (error instanceof KubernetesError && error.status === 401) return false
        throw error
      } finally {
        own.close()
      }
    },
    close: async () => agents.close(),
  }
}

function createApi(options: TransportOptions, endpoints: readonly Endpoint[], agents: AgentPool): KubernetesApi {
  const { clock } = options
  const transport = createTransport(options, endpoints, agents)
  const objects = createObjectCalls(transport, createResourcePaths(transport, clock))
  return {
    version: async (signal) => {
      const answer = await transport.json(
        { method: 'GET', path: '/version', verb: 'get', object: 'the version' },
        signal,
      )
      return textOf(fieldsOf(answer).gitVersion)
    },
    deprecatedApis: async (signal) =>
      parseDeprecatedApis(
        await transport.text({ method: 'GET', path: '/metrics', verb: 'read', object: 'the metrics' }, signal),
      ),
    objectsOfRemovedApis: async ({ from, to }, signal) => {
      const found = removedBetween(from, to).map(async (api) =>
        writtenWith(api, await objects.list(api.now, undefined, {}, signal)),
      )
      return (await Promise.all(found)).flat()
    },
    charts: async (signal) => {
      const secrets = await objects.list(helmReleases, undefined, { labelSelector: deployedReleases }, signal)
      return secrets.flatMap((secret) => chartIn(secret) ?? [])
    },
    findSecretsProblem: (signal) => findSecretsProblem(transport, signal),
    nodes: async (signal) => (await objects.list(nodeKind, undefined, {}, signal)).map(nodeInfoOf),
    setNodeLabels: (name, labels, signal) => setNodeLabels(objects, name, labels, signal),
    setNodeTaints: (name, taints, signal) => setNodeTaints(objects, name, taints, signal),
    cordon: (name, signal) => cordonNode(objects, name, signal),
    uncordon: (name, waiting, signal) => uncordonNode({ objects, clock }, name, waiting, signal),
    drain: (name, drainOptions, signal) => drainNode({ objects, transport, clock }, name, drainOptions, signal),
    deleteNode: (name, signal) => objects.delete(nodeKind, undefined, name, signal),
    apply: (manifests, applyOptions, signal) => applyInOrder(objects, clock, manifests, applyOptions, signal),
    find: objects.find,
    list: objects.list,
    delete: objects.delete,
    rewrite: (kind, namespace, name, signal) =>
      objects.patch(kind, namespace, name, {}, 'rewrite', signal).catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      }),
    requestToken: async (namespace, serviceAccount, signal) => {
      const answer = await transport.json(
        {
          method: 'POST',
          path: `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`,
          body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 600 } },
          verb: 'request a token of',
          object: `ServiceAccount ${namespace}/${serviceAccount}`,
        },
        signal,
      )
      return textOf(fieldsOf(fieldsOf(answer).status).token)
    },
    podLogs: (namespace, pod, { container, tailLines }, signal) =>
      transport.text(
        {
          method: 'GET',
          path: `/api/v1/namespaces/${namespace}/pods/${pod}/log`,
          query: { container, tailLines: tailLines === undefined ? undefined : String(tailLines) },
          verb: 'read the log of',
          object: `Pod ${namespace}/${pod}`,
        },
        signal,
      ),
    pendingCsrs: (signal) => pendingCsrs(objects, signal),
    approveCsr: (name, signal) => approveCsr(objects, transport, name, signal),
  }
}
