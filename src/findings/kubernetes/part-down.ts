import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import type { Facts } from '../facts.js'

export const partDown = defineFinding({
  code: 'ICH0616',
  name: 'A part of Kubernetes does not run',
  severity: 'warns',
  needs: ['kubernetes', 'examined.kubernetes'],
  *find(facts) {
    for (const { name, ready, wanted } of [...componentsOf(facts), ...workloadsOf(facts)]) {
      if (ready >= wanted) continue
      yield {
        severity: ready === 0 ? 'blocks' : 'warns',
        subject: { kind: 'object', name },
        title: `${ready} of ${wanted} pods of ${name} are ready.`,
        detail: effects[name] ?? 'It is a part of the control plane.',
        cure: { text: `Look at its pods: kubectl -n kube-system get pods -l k8s-app=${labels[name] ?? name}` },
      }
    }
  },
})

const labels: Readonly<Record<string, string>> = { coredns: 'kube-dns' }
const effects: Readonly<Record<string, string>> = {
  coredns: 'Pods resolve no names without it.',
  'kube-proxy': 'On a node without it no service is reached.',
}

/** One pod on every control plane that is a node. */
function componentsOf({ observed, examined }: Facts) {
  const components = ifSeen(examined?.kubernetes?.components) ?? {}
  const wanted = observed.machines.filter(
    ({ mark, node }) => mark.role === 'controlplane' && node?.ready === true,
  ).length
  return Object.entries(components).map(([name, ready]) => ({ name, ready, wanted }))
}

/** CoreDNS needs a pod network, which a cluster may not have yet. */
function workloadsOf({ inventory: { settings }, examined }: Facts) {
  const { daemonSets, deployments } = examined?.kubernetes ?? {}
  const hasNetwork = settings.kubernetes.cni !== 'none' || settings.addons.cilium !== undefined
  return [
    ...(ifSeen(daemonSets) ?? []).filter(({ name }) => name === 'kube-proxy'),
    ...(ifSeen(deployments) ?? []).filter(({ name }) => name === 'coredns' && hasNetwork),
  ].filter(({ namespace }) => namespace === 'kube-system')
}
