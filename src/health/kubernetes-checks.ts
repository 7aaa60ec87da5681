import type { KubernetesApi, KubernetesObject, NodeInfo } from '../kubernetes/port.js'
import { type Check, type CheckResult, type HealthContext, healthy, healthyUnless, unhealthy } from './check.js'
import { type ClusterFacts, controlPlanesOf, type HealthMachine, nodeOf } from './facts.js'

/** The static pods that every control plane runs. */
const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const

const pod = { apiVersion: 'v1', kind: 'Pod' }
const daemonSet = { apiVersion: 'apps/v1', kind: 'DaemonSet' }
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' }

export function apiToServe(facts: ClusterFacts): Check {
  return {
    name: 'the Kubernetes API to answer',
    run: async (context) => {
      await apiOf(facts, context).version(context.signal)
      return healthy
    },
  }
}

export function nodesToReport(facts: ClusterFacts): Check {
  return {
    name: 'all nodes to report to Kubernetes',
    run: (context) =>
      judgeNodes(facts, context, (machine, node) => (node === undefined ? `${machine.name} is not there` : undefined)),
  }
}

export function nodesToBeReady(facts: ClusterFacts): Check {
  return {
    name: 'all nodes to be Ready',
    run: async (context) => {
      if (!facts.hasCni) return { skipped: 'there is no network addon' }
      return judgeNodes(facts, context, ({ name }, node) => (node?.ready === true ? undefined : `${name} is not Ready`))
    },
  }
}

export function nodesToBeSchedulable(facts: ClusterFacts): Check {
  return {
    name: 'all nodes schedulable',
    run: (context) =>
      judgeNodes(facts, context, ({ name }, node) =>
        node?.unschedulable === true ? `${name} is cordoned` : undefined,
      ),
  }
}

export function staticPodsToRun(machine: HealthMachine): Check {
  return {
    name: `${machine.name}: the static pods to run`,
    run: async (context) => {
      const type = 'StaticPodStatuses.kubernetes.talos.dev'
      const pods = await nodeOf(machine, context).resources.list(type, 'k8s', context.signal)
      const running = pods.filter(({ spec }) => isReady(spec)).map(({ id }) => id)
      const missing = components.filter((component) => !running.some((id) => id.includes(`/${component}-`)))
      return healthyUnless(missing.map((component) => `${component} does not run`))
    },
  }
}

export function componentsToBeReady(facts: ClusterFacts): Check {
  return {
    name: 'the control plane to be ready in Kubernetes',
    run: async (context) => {
      const wanted = controlPlanesOf(facts).length
      const hasOthers = (facts.unmanaged ?? []).length > 0
      const labelSelector = `k8s-app in (${components.join(',')})`
      const pods = await apiOf(facts, context).list(pod, 'kube-system', { labelSelector }, context.signal)
      const ready = pods.filter(({ status }) => isReady(status))
      return healthyUnless(
        components.flatMap((name) => {
          const count = ready.filter(({ metadata }) => metadata.labels?.['k8s-app'] === name).length
          return count === wanted || (hasOthers && count > wanted)
            ? []
            : [`${count} of ${wanted} ${name} pods are ready`]
        }),
      )
    },
  }
}

/** Only this shows whether an API server has the key that Secrets were encrypted with. */
export function secretsToBeReadable({ name, address }: HealthMachine): Check {
  return {
    name: `${name}: every Secret to be readable`,
    run: async ({ world, signal }) => {
      const problem = await world.kubernetes.at([{ host: address, port: 6443 }]).findSecretsProblem(signal)
      return problem === undefined ? healthy : unhealthy(problem)
    },
  }
}

export function kubeProxyToBeReady(facts: ClusterFacts): Check {
  return {
    name: 'kube-proxy to be ready',
    run: async (context) => {
      const found = await apiOf(facts, context).find(daemonSet, 'kube-system', 'kube-proxy', context.signal)
      if (found === undefined) return { skipped: 'this cluster has none' }
      const status = found.status as { desiredNumberScheduled?: number; numberReady?: number } | undefined
      return judgeCount('kube-proxy', status?.numberReady, status?.desiredNumberScheduled)
    },
  }
}

export function coreDnsToBeReady(facts: ClusterFacts): Check {
  return {
    name: 'CoreDNS to be ready',
    run: async (context) => {
      if (!facts.hasCni) return { skipped: 'there is no network addon' }
      const found = await apiOf(facts, context).find(deployment, 'kube-system', 'coredns', context.signal)
      if (found === undefined) return { skipped: 'this cluster has none' }
      const { replicas } = (found.spec ?? {}) as { replicas?: number }
      return judgeCount('CoreDNS', (found.status as { readyReplicas?: number } | undefined)?.readyReplicas, replicas)
    },
  }
}

function judgeCount(what: string, ready = 0, wanted = 1): CheckResult {
  return ready >= wanted ? healthy : unhealthy(`${ready} of ${wanted} ${what} pods are ready`)
}

function apiOf(facts: ClusterFacts, { world }: HealthContext): KubernetesApi {
  return world.kubernetes.at(facts.endpoints)
}

async function judgeNodes(
  facts: ClusterFacts,
  context: HealthContext,
  findProblem: (machine: HealthMachine, node: NodeInfo | undefined) => string | undefined,
): Promise<CheckResult> {
  const nodes = await apiOf(facts, context).nodes(context.signal)
  const byAddress = new Map(
    nodes.toReversed().flatMap((node) => node.internalAddresses.map((address) => [address, node])),
  )
  const problems = facts.machines.map((machine) => findProblem(machine, byAddress.get(machine.address)))
  return healthyUnless(problems.filter((problem) => problem !== undefined))
}

/** The status of a pod, from Kubernetes or from the node. */
function isReady(status: KubernetesObject[string]): boolean {
  const { conditions } = (status ?? {}) as { conditions?: { type: string; status: string }[] }
  return conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false
}
