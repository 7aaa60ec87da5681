import type { StaticPod } from '../../kubernetes/seam.js'
import type { TalosMachine } from '../machine/machine.js'
import { findResourceKind, listResources } from './resource-view.js'

/** Each component, and the resource that its pod is made from. */
const configs = {
  'kube-apiserver': 'APIServerConfigs.kubernetes.talos.dev',
  'kube-controller-manager': 'ControllerManagerConfigs.kubernetes.talos.dev',
  'kube-scheduler': 'SchedulerConfigs.kubernetes.talos.dev',
} as const

interface Known extends Pick<TalosMachine, 'facts' | 'minor' | 'servedSecrets'> {
  readonly pods: StaticPod[]
}

const known = new WeakMap<TalosMachine, Known>()

/** The static pods of a control plane by its current config; cached, because they are read all the time. */
export function staticPodsOf(machine: TalosMachine): StaticPod[] {
  const { facts, minor, servedSecrets } = machine
  const last = known.get(machine)
  const isSame = last?.facts === facts && last?.minor === minor && last.servedSecrets === servedSecrets
  if (isSame) return last.pods
  const pods = podsFrom(machine)
  known.set(machine, { facts, minor, servedSecrets, pods })
  return pods
}

function podsFrom(machine: TalosMachine): StaticPod[] {
  return Object.entries(configs).flatMap(([name, type]) => {
    const kind = findResourceKind(machine, 'controlplane', type)
    const config = kind === undefined ? undefined : listResources(machine, kind)[0]
    const image = machine.facts?.images[name as keyof typeof configs]
    if (config === undefined || image === undefined) return []
    return [{ name, image, configVersion: String(config.version), secretsVersion: machine.servedSecrets || '1' }]
  })
}
