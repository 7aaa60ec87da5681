import type { TalosMachine } from './talos-machine.js'

const excludeFromLoadBalancers = 'node.kubernetes.io/exclude-from-external-load-balancers'

/** Labels of these prefixes that the API server lets a kubelet set on its own node. */
const allowedToKubelet = [
  /^kubernetes\.io\/(?:hostname|arch|os)$/,
  /^(?:beta\.kubernetes\.io\/(?:arch|os|instance-type)|node\.kubernetes\.io\/instance-type)$/,
  /^(?:topology|failure-domain\.beta)\.kubernetes\.io\/(?:region|zone)$/,
  /^(?:[^/]+\.)?(?:kubelet|node)\.kubernetes\.io\//,
]

/** Whether a worker's kubelet may set this label itself; others are set by the admin client, on any node. */
export function kubeletMaySet(label: string): boolean {
  const prefix = label.includes('/') ? label.slice(0, label.indexOf('/')) : ''
  if (!/(?:^|\.)(?:kubernetes|k8s)\.io$/.test(prefix)) return true
  return allowedToKubelet.some((allowed) => allowed.test(label))
}

/** Labels that go into the config: on a control plane Talos sets them as admin, on a worker as the kubelet. */
export function nodeLabels({ role, labels }: TalosMachine): Readonly<Record<string, string>> {
  if (role === 'controlplane') return { [excludeFromLoadBalancers]: '', ...labels }
  return Object.fromEntries(Object.entries(labels).filter(([label]) => kubeletMaySet(label)))
}

/** Labels that the admin client must set, because the config cannot. */
export function labelsForAdmin({ role, labels }: TalosMachine): Readonly<Record<string, string>> {
  if (role === 'controlplane') return {}
  return Object.fromEntries(Object.entries(labels).filter(([label]) => !kubeletMaySet(label)))
}

/** Taints in Talos's form: key to `value:Effect`, or to `Effect` alone. */
export function nodeTaints({ taints }: TalosMachine): Readonly<Record<string, string>> {
  return Object.fromEntries(
    taints.map(({ key, value, effect }) => [key, value === undefined ? effect : `${value}:${effect}`]),
  )
}
