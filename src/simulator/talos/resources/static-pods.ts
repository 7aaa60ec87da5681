import type { StaticPod } from '../../kubernetes/seam.js'
import type { TalosMachine } from '../machine/machine.js'
import { findResourceKind, listResources } from './resource-view.js'

/** Each component, and the resource that its pod is made from. */
const configs = {
  'kube-apiserver': 'APIServerConfigs.kubernetes.talos.dev',
  'kube-controller-manager': 'ControllerManagerConfigs.kubernetes.talos.dev',
  'kube-scheduler': 'SchedulerConfigs.kubernetes.talos.dev',
} as const

const known = new WeakMap<TalosMachine, { facts: TalosMachine['facts']; minor: number; pods: StaticPod[] }>()

/** The static pods of a control plane as its config wants them now; asked all the time, so the last answer is remembered. */
export function staticPodsOf(machine: TalosMachine): StaticPod[] {
  const { facts, minor } = machine
  const last = known.get(machine)
  if (last?.facts === facts && last?.minor === minor) return last.pods
  const pods = podsFrom(machine)
  known.set(machine, { facts, minor, pods })
  return pods
}

function podsFrom(machine: TalosMachine): StaticPod[] {
  return Object.entries(configs).flatMap(([name, type]) => {
    const kind = findResourceKind(machine, 'controlplane', type)
    const config = kind === undefined ? undefined : listResources(machine, kind)[0]
    const image = machine.facts?.images[name as keyof typeof configs]
    return config === undefined || image === undefined ? [] : [{ name, image, configVersion: String(config.version) }]
  })
}
