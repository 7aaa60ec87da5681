import { randomUUID } from 'node:crypto'
import type { SimClock } from '../core/clock.js'
import type { Faults } from '../core/faults.js'
import type { Ledger } from '../core/ledger.js'
import { startApiServer } from './api/server.js'
import { createTokens } from './api/tokens.js'
import type { ClusterState } from './cluster-state.js'
import { isReady } from './controllers/controller.js'
import { restartPodsOf } from './controllers/restart-pods.js'
import { createControllerLoop } from './controllers/run-controllers.js'
import { cordonNode, evictPodsOf } from './drain-node.js'
import { fromEtcd, toEtcd } from './etcd-keys.js'
import { createUnknownCharts } from './helm/unknown-charts.js'
import { createObjectStore, type StoreSnapshot } from './object-store.js'
import { sealedObjects } from './sealed-objects.js'
import type {
  ApiServerOptions,
  ClusterFacts,
  KubeletOptions,
  KubernetesKind,
  KubernetesStore,
  SimulatedKubelet,
} from './seam.js'
import { bringInlineManifests, seedCluster } from './seed.js'

export interface KubernetesKindOptions {
  readonly clock: SimClock
  readonly faults: Faults
  readonly ledger: Ledger
  readonly rendersUnknownCharts?: boolean | undefined
  /** A fault kills the caller before it can read its response. */
  readonly onKillCaller?: () => void
}

/** After a shorter absence only the kubelet was restarted; its containers kept running. */
const rebootMs = 10_000

interface Saved {
  readonly store: StoreSnapshot
  readonly logs: readonly (readonly [string, readonly string[]])[]
}

/** The Kubernetes of simulated Talos machines: an etcd, API servers on real sockets, kubelets. */
export function createKubernetesKind(options: KubernetesKindOptions): KubernetesKind {
  return {
    openStore: (facts, saved) => openStore(options, facts, saved as Saved | undefined),
    recoverStore: (facts, content) => openStore(options, facts, { store: fromEtcd(content), logs: [] }),
  }
}

function openStore(options: KubernetesKindOptions, facts: ClusterFacts, saved: Saved | undefined): KubernetesStore {
  const servers = new Set<ApiServerOptions>()
  const usualSeal = () => [...servers][0]?.encryptionKeys?.[0]
  const state = newState(options, facts, saved, usualSeal)
  const canWrite = () => [...servers].some((server) => server.hasQuorum())
  const loop = createControllerLoop(state, canWrite)
  if (saved === undefined) seedCluster(state)

  return {
    save: (): Saved => ({ store: state.objects.snapshot(), logs: [...state.logs] }),
    content: () => toEtcd(state.objects.snapshot()),
    serveApi: async (api) => {
      state.signer = api.ca
      const tokens = api.serviceAccount === undefined ? undefined : createTokens(api.serviceAccount, state)
      const seen = { ...state, objects: sealedObjects(state.objects, api.encryptionKeys ?? []) }
      const server = await startApiServer({ state: seen, tokens, onKillCaller: options.onKillCaller }, api)
      servers.add(api)
      if (tokens !== undefined) state.issuers.add(tokens)
      bringInlineManifests(state, api.inlineManifests ?? facts.inlineManifests)
      loop.start()
      return {
        close: async () => {
          servers.delete(api)
          if (tokens !== undefined) state.issuers.delete(tokens)
          if (servers.size === 0) loop.stop()
          await server.close()
        },
      }
    },
    cordon: (node, isCordoned) => cordonNode(state, node, isCordoned),
    evictPods: (node) => evictPodsOf(state, node),
    startKubelet: (kubelet) => startKubelet(state, kubelet, () => loop.wake()),
  }
}

function startKubelet(state: ClusterState, options: KubeletOptions, wake: () => void): SimulatedKubelet {
  const running = { options, startedAt: state.clock.now(), hasRegistered: options.hasRegistered ?? false }
  state.kubelets.set(options.nodeName, running)
  const awayFor = state.clock.now() - (state.lastSeen.get(options.nodeName) ?? 0)
  if (awayFor > rebootMs && !running.hasRegistered) restartPodsOf(state, options.nodeName)
  wake()
  return {
    get isNodeReady() {
      return (
        state.kubelets.get(options.nodeName) === running &&
        isReady(state.objects.find('nodes', undefined, options.nodeName))
      )
    },
    stop: () => {
      if (state.kubelets.get(options.nodeName) !== running) return
      state.kubelets.delete(options.nodeName)
      state.lastSeen.set(options.nodeName, state.clock.now())
      wake()
    },
  }
}

function newState(
  { clock, faults, ledger, rendersUnknownCharts = false }: KubernetesKindOptions,
  facts: ClusterFacts,
  saved: Saved | undefined,
  usualSeal: () => string | undefined,
): ClusterState {
  const objects = createObjectStore(saved?.store, usualSeal)
  return {
    clock,
    faults,
    ledger,
    facts,
    objects,
    ...(rendersUnknownCharts ? { unknownCharts: createUnknownCharts() } : {}),
    kubelets: new Map(),
    lastSeen: new Map(objects.list('nodes').map((node) => [node.metadata.name, clock.now()])),
    logs: new Map((saved?.logs ?? []).map(([pod, lines]) => [pod, [...lines]])),
    signer: undefined,
    issuers: new Set(),
    nextUid: randomUUID,
  }
}
