import { isDeepStrictEqual } from 'node:util'
import { at, isMapping, type MachineConfig } from './documents.js'

/** Parts of v1alpha1 that Talos up to 1.13 applies at once; other documents are always applied at once. */
const immediate = {
  machine: [
    'ca',
    'acceptedCAs',
    'time',
    'certSANs',
    'install',
    'network',
    'sysfs',
    'sysctls',
    'logging',
    'controlPlane',
    'kubelet',
    'kernel',
    'registries',
    'pods',
    'seccompProfiles',
    'nodeAnnotations',
    'nodeLabels',
    'nodeTaints',
    'features',
  ],
  features: ['kubernetesTalosAPIAccess', 'kubePrism', 'hostDNS', 'imageCache', 'nodeAddressSortAlgorithm'],
}

/** Whether the change between these configs needs a reboot. */
export function needsReboot(before: MachineConfig, after: MachineConfig): boolean {
  const changes = (path: string, allowed: readonly string[]) =>
    differsOutside(at(before.v1alpha1, path), at(after.v1alpha1, path), allowed)
  return (
    differsOutside(before.v1alpha1, after.v1alpha1, ['debug', 'cluster', 'machine']) ||
    changes('machine', immediate.machine) ||
    hasFeatures(before) !== hasFeatures(after) ||
    changes('machine.features', immediate.features)
  )
}

function hasFeatures({ v1alpha1 }: MachineConfig): boolean {
  return isMapping(at(v1alpha1, 'machine.features'))
}

function differsOutside(before: unknown, after: unknown, allowed: readonly string[]): boolean {
  const old = isMapping(before) ? before : {}
  const fresh = isMapping(after) ? after : {}
  const keys = new Set([...Object.keys(old), ...Object.keys(fresh)])
  return [...keys].some((key) => !allowed.includes(key) && !isDeepStrictEqual(old[key], fresh[key]))
}
