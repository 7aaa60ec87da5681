import type { SecretsBundle } from '../../../secrets/bundle.js'
import { type ConfigObject, type ConfigValue, listUnlessEmpty, mapUnlessEmpty, section } from '../config-value.js'
import { type Contract, hasNetworkDocuments } from '../contract.js'
import { featureGateArgs } from '../kubernetes-args.js'
import { kubernetesImage } from '../kubernetes-images.js'
import { oidcArgs } from '../oidc.js'
import { auditPolicy, podSecurity } from '../policies.js'
import type { TalosMachine } from '../talos-machine.js'

/** What only a control plane has: further keys, and the settings of its static pods. */
export function controlPlaneSections(
  { cluster }: TalosMachine,
  contract: Contract,
  { certs }: SecretsBundle,
): Record<string, ConfigValue> {
  const extraArgs = mapUnlessEmpty(featureGateArgs(cluster))
  const part = (name: 'kube-controller-manager' | 'kube-scheduler') =>
    section({ image: kubernetesImage(name, cluster.kubernetesVersion), extraArgs })
  return {
    aggregatorCA: { ...certs.k8saggregator },
    serviceAccount: { key: certs.k8sserviceaccount.key },
    apiServer: apiServer(cluster, contract),
    controllerManager: part('kube-controller-manager'),
    proxy: section({
      disabled: cluster.kubeProxy ? undefined : true,
      image: kubernetesImage('kube-proxy', cluster.kubernetesVersion),
    }),
    scheduler: part('kube-scheduler'),
  }
}

/** Up to 1.11 the endpoint's host is listed as a SAN; later Talos adds it. */
function apiServer(cluster: TalosMachine['cluster'], contract: Contract): ConfigObject {
  const isOld = !hasNetworkDocuments(contract)
  const names = [...(isOld ? [hostOf(cluster.endpoint)] : []), ...cluster.apiServerCertSans]
  return section({
    image: kubernetesImage('kube-apiserver', cluster.kubernetesVersion),
    extraArgs: mapUnlessEmpty({ ...featureGateArgs(cluster), ...oidcArgs(cluster) }),
    certSANs: listUnlessEmpty([...new Set(names)]),
    disablePodSecurityPolicy: isOld ? true : undefined,
    admissionControl: [{ name: 'PodSecurity', configuration: podSecurity }],
    auditPolicy: cluster.auditPolicy ?? auditPolicy,
  })
}

/** Without the brackets of an IPv6 address in a URL. */
function hostOf(endpoint: string): string {
  return new URL(endpoint).hostname.replace(/^\[|\]$/g, '')
}
