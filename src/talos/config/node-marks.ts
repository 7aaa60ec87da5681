import { splitLabels } from '../../cluster/node-labels.js'
import type { TalosMachine } from './talos-machine.js'

const excludeFromLoadBalancers = 'node.kubernetes.io/exclude-from-external-load-balancers'

/** Labels in the config: Talos sets them as admin on a control plane, and through the kubelet on a worker. */
export function nodeLabels({ role, labels }: TalosMachine): Readonly<Record<string, string>> {
  if (role === 'controlplane') return { [excludeFromLoadBalancers]: '', ...labels }
  return splitLabels(labels).allowed
}

/** Taints in Talos's form: key to `value:Effect`, or to `Effect` alone. */
export function nodeTaints({ taints }: TalosMachine): Readonly<Record<string, string>> {
  return Object.fromEntries(
    taints.map(({ key, value, effect }) => [key, value === undefined ? effect : `${value}:${effect}`]),
  )
}
