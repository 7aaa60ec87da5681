import { type ConfigObject, listUnlessEmpty, mapUnlessEmpty, section } from '../config-value.js'
import type { Contract } from '../contract.js'
import { kubeletArgs } from '../kubernetes-args.js'
import { kubeletImage } from '../kubernetes-images.js'
import type { TalosMachine } from '../talos-machine.js'
import { volumesArePartitions } from './disk-partitions.js'

/** `machine.kubelet` of v1alpha1. */
export function kubeletSection(machine: TalosMachine, contract: Contract): ConfigObject {
  const { nodeIpSubnets } = machine.kubelet
  return section({
    image: kubeletImage(machine.cluster.kubernetesVersion),
    extraArgs: mapUnlessEmpty(kubeletArgs(machine)),
    extraMounts: listUnlessEmpty(extraMounts(machine, contract)),
    extraConfig: registrationTaints(machine),
    defaultRuntimeSeccompProfileEnabled: true,
    nodeIP: nodeIpSubnets.length === 0 ? undefined : { validSubnets: nodeIpSubnets },
    disableManifestsDirectory: true,
  })
}

/**
 * A worker may taint itself only at registration: the API server refuses what `machine.nodeTaints` would do later as
 * the kubelet.
 */
function registrationTaints({ role, taints }: TalosMachine): ConfigObject | undefined {
  if (role === 'controlplane' || taints.length === 0) return undefined
  return { registerWithTaints: taints.map(({ key, value, effect }) => section({ key, value, effect })) }
}

/** Before user volumes existed, mounts under /var/mnt reached the kubelet only if listed. */
function extraMounts(machine: TalosMachine, contract: Contract): ConfigObject[] {
  const volumes = volumesArePartitions(contract) ? machine.userVolumes.map(({ name }) => `/var/mnt/${name}`) : []
  return [
    ...machine.kubelet.extraMounts.map((mount) => ({
      destination: mount.destination,
      type: 'bind',
      source: mount.source,
      options: mount.options,
    })),
    ...volumes.map((path) => ({ destination: path, type: 'bind', source: path, options: ['bind', 'rshared', 'rw'] })),
  ]
}
