import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import type { ClusterInfo, ClusterService } from '../../../../wire/cluster/cluster_pb.js'
import { findMembership } from '../../machine/etcd-life.js'
import type { TalosMachine } from '../../machine/machine.js'
import { controlPlaneOf } from '../call-context.js'

const pollMs = 5_000
const defaultWaitSeconds = 20 * 60

/**
 * The health of the whole cluster as a control plane sees it: named checks, one after another, each until it passes.
 */
export const healthHandlers = {
  healthCheck: async function* ({ waitTimeout, clusterInfo }, context) {
    const { machine } = controlPlaneOf(context)
    const { clock } = machine.fleet
    const giveUpAt = clock.now() + 1000 * (Number(waitTimeout?.seconds ?? 0n) || defaultWaitSeconds)
    const addresses = addressesOf(machine, clusterInfo)
    yield { message: `discovered nodes: [${addresses.map((address) => JSON.stringify(address)).join(' ')}]` }
    for (const { title, find } of checks) {
      yield { message: `waiting for ${title}: ...` }
      for (let last = ''; ; ) {
        const problem = find(nodesAt(machine, addresses))
        if (problem === undefined) break
        if (problem !== last) yield { message: `waiting for ${title}: ${problem}` }
        last = problem
        if (clock.now() >= giveUpAt) throw new ConnectError('context deadline exceeded', Code.DeadlineExceeded)
        await clock.sleep(pollMs, context.signal)
      }
      yield { message: `waiting for ${title}: OK` }
    }
  },
} satisfies ServiceImpl<typeof ClusterService>

interface Node {
  readonly address: string
  /** Missing if nothing responds. */
  readonly machine: TalosMachine | undefined
}

interface Check {
  readonly title: string
  /** The current problem. */
  find(nodes: readonly Node[]): string | undefined
}

const checks: readonly Check[] = [
  { title: 'etcd to be healthy', find: (nodes) => findUnhealthy(controlPlanes(nodes), 'etcd') },
  { title: 'etcd members to be consistent across nodes', find: findOtherEtcd },
  { title: 'etcd members to be control plane nodes', find: findForeignMember },
  { title: 'apid to be ready', find: (nodes) => findUnhealthy(nodes, 'apid') },
  { title: 'all nodes memory sizes', find: () => undefined },
  { title: 'all nodes disk sizes', find: () => undefined },
  { title: 'no diagnostics', find: () => undefined },
  { title: 'kubelet to be healthy', find: (nodes) => findUnhealthy(nodes, 'kubelet') },
  {
    title: 'all nodes to finish boot sequence',
    find: (nodes) => problemOf(nodes, ({ stage }) => stage === 'running', 'nodes are not running'),
  },
  {
    title: 'all k8s nodes to report',
    find: (nodes) => problemOf(nodes, ({ services }) => services.isHealthy('kubelet'), "can't find expected nodes"),
  },
  {
    title: 'all control plane static pods to be running',
    find: (nodes) => problemOf(controlPlanes(nodes), (it) => it.staticPodsAreUp, 'missing static pods on nodes'),
  },
  {
    title: 'all control plane components to be ready',
    find: (nodes) => problemOf(controlPlanes(nodes), (it) => it.staticPodsAreUp, 'some pods are not ready'),
  },
  {
    title: 'all k8s nodes to report ready',
    find: (nodes) => problemOf(nodes, hasReadyNode, 'some nodes are not ready'),
  },
  { title: 'kube-proxy to report ready', find: () => undefined },
  { title: 'coredns to report ready', find: () => undefined },
  { title: 'all k8s nodes to report schedulable', find: () => undefined },
]

/** The given nodes, otherwise those known from discovery. */
function addressesOf({ facts, fleet }: TalosMachine, info: ClusterInfo | undefined): string[] {
  const named = [...(info?.controlPlaneNodes ?? []), ...(info?.workerNodes ?? [])]
  if (named.length > 0) return named
  return fleet.discovery.members(facts?.clusterId ?? '').flatMap(({ addresses }) => addresses.slice(0, 1))
}

function nodesAt({ fleet }: TalosMachine, addresses: readonly string[]): Node[] {
  const running = [...fleet.machines].filter(({ api, isHung }) => api.mode === 'secured' && !isHung)
  return addresses.map((address) => ({ address, machine: running.find((it) => it.addresses.includes(address)) }))
}

function controlPlanes(nodes: readonly Node[]): Node[] {
  return nodes.filter(({ machine }) => machine?.facts?.role !== 'worker')
}

/** Without a CNI no node is ever ready, and Talos does not wait for it. */
function hasReadyNode({ facts, nodeIsReady }: TalosMachine): boolean {
  return nodeIsReady || facts?.cni === 'none'
}

function findUnhealthy(nodes: readonly Node[], service: string): string | undefined {
  return problemOf(nodes, ({ services }) => services.isHealthy(service), `service "${service}" is not healthy`)
}

function findOtherEtcd(nodes: readonly Node[]): string | undefined {
  const clusters = controlPlanes(nodes).map(({ machine }) => machine && findMembership(machine)?.cluster.id)
  return new Set(clusters).size > 1 ? 'etcd members are not consistent across nodes' : undefined
}

function findForeignMember(nodes: readonly Node[]): string | undefined {
  const [first] = controlPlanes(nodes)
  const members = first?.machine === undefined ? undefined : findMembership(first.machine)?.cluster.members
  const known = new Set(nodes.map(({ address }) => address))
  const foreign = [...(members?.values() ?? [])].find(({ peerUrls }) => !peerUrls.some((url) => known.has(hostOf(url))))
  return foreign === undefined ? undefined : `etcd member ${foreign.name} is not a control plane node`
}

function problemOf(nodes: readonly Node[], isFine: (machine: TalosMachine) => boolean, text: string) {
  const bad = nodes.filter(({ machine }) => machine === undefined || !isFine(machine))
  return bad.length === 0 ? undefined : `${text}: [${bad.map(({ address }) => JSON.stringify(address)).join(' ')}]`
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
