import { createServer, type Server } from 'node:net'
import type { EtcdRecord, KubeletOptions, KubernetesKind, KubernetesStore } from '../../kubernetes/seam.js'

const nodePrefix = '/registry/minions/'

/** A minimal Kubernetes: it listens, records registrations, and reports every node as ready. */
export function aKubernetes(): KubernetesKind {
  return {
    openStore: (_facts, saved) => {
      const nodes = new Set((saved as { nodes: string[] } | undefined)?.nodes ?? [])
      return aStore(nodes)
    },
    recoverStore: (_facts, { records }) => aStore(new Set(records.map(({ key }) => key.slice(nodePrefix.length)))),
  }
}

function aStore(nodes: Set<string>): KubernetesStore {
  return {
    save: () => ({ nodes: [...nodes] }),
    content: () => ({ revision: nodes.size + 1, records: [...nodes].map(recordOf) }),
    serveApi: async ({ network, address, port }) => {
      const server: Server = createServer((socket) => socket.end())
      await network.listen(server, address, port)
      return { close: () => new Promise((resolve) => server.close(() => resolve())) }
    },
    cordon: () => {},
    evictPods: () => 0,
    startKubelet: (options: KubeletOptions) => {
      nodes.add(options.nodeName)
      return { isNodeReady: true, stop: () => {} }
    },
  }
}

function recordOf(name: string, n: number): EtcdRecord {
  const value = JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name } })
  return { key: `${nodePrefix}${name}`, value, createRevision: n + 2, modRevision: n + 2, version: 1 }
}
