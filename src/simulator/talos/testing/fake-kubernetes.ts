import { createServer, type Server } from 'node:net'
import type { KubeletOptions, KubernetesKind, KubernetesStore } from '../../kubernetes/seam.js'

/** The least of a Kubernetes: it listens, remembers who registered, and calls every node ready. */
export function aKubernetes(): KubernetesKind {
  return {
    openStore: (_facts, snapshot) => {
      const nodes = new Set((snapshot as { nodes: string[] } | undefined)?.nodes ?? [])
      return aStore(nodes)
    },
  }
}

function aStore(nodes: Set<string>): KubernetesStore {
  return {
    snapshot: () => ({ nodes: [...nodes] }),
    serveApi: async ({ network, address, port }) => {
      const server: Server = createServer((socket) => socket.end())
      await network.listen(server, address, port)
      return { close: () => new Promise((resolve) => server.close(() => resolve())) }
    },
    startKubelet: (options: KubeletOptions) => {
      nodes.add(options.nodeName)
      return { isNodeReady: true, stop: () => {} }
    },
  }
}
