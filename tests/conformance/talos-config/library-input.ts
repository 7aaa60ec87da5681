import type { TalosMachine } from '../../../src/talos/config/talos-machine.js'

/** A machine in the words of the options that the library's own generator takes. */
export function libraryInput({ cluster, install, sysctls, registries, certSans }: TalosMachine): object {
  const { cni } = cluster
  return {
    clusterName: cluster.name,
    endpoint: cluster.endpoint,
    kubernetesVersion: cluster.kubernetesVersion,
    installDisk: install.disk,
    installImage: install.image,
    dnsDomain: cluster.dnsDomain,
    sans: certSans,
    podSubnets: cluster.podSubnets,
    serviceSubnets: cluster.serviceSubnets,
    sysctls,
    discovery: cluster.discovery,
    kubePrismPort: cluster.kubePrism ? 7445 : 0,
    allowScheduling: cluster.allowSchedulingOnControlPlanes,
    customCni: cni.name === 'custom' ? (cni.urls[0] ?? '') : '',
    mirrors: Object.fromEntries(
      registries.filter(({ mirrors }) => mirrors.length > 0).map(({ host, mirrors }) => [host, mirrors]),
    ),
    registryCa: Object.fromEntries(registries.flatMap(({ host, ca }) => (ca === undefined ? [] : [[host, ca]]))),
    insecureRegistries: registries.filter(({ insecure }) => insecure).map(({ host }) => host),
  }
}
