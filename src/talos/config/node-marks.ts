import { splitLabels } from '../../cluster/node-labels.js'
import type { TalosMachine } from './talos-machine.js'

const excludeFromLoadBalancers = 'node.kubernetes.io/exclude-from-external-load-balancers'

/** Labels that go into the config: on a control plane Talos sets them as admin, on a worker as the kubelet. */
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
