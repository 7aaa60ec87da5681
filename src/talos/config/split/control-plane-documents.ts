import type { SecretsBundle } from '../../../secrets/bundle.js'
import { type ConfigObject, listUnlessEmpty, mapUnlessEmpty } from '../config-value.js'
import { newDocument } from '../documents/new-document.js'
import { featureGateArgs } from '../kubernetes-args.js'
import { kubernetesImage } from '../kubernetes-images.js'
import { oidcIssuers } from '../oidc.js'
import { auditPolicy, podSecurity } from '../policies.js'
import type { TalosCluster, TalosMachine } from '../talos-machine.js'
import { etcdEncryption } from './etcd-encryption.js'
import { pemText } from './pem-text.js'

/** Certificates, authorization and components of the control plane. */
export function controlPlaneDocuments({ cluster }: TalosMachine, bundle: SecretsBundle): ConfigObject[] {
  const { k8saggregator, k8sserviceaccount } = bundle.certs
  const publicKeys = listUnlessEmpty((bundle.accepted?.serviceAccount ?? []).map(pemText))
  return [
    newDocument('KubeAggregatorCAConfig', {
      issuingCA: { cert: pemText(k8saggregator.crt), key: pemText(k8saggregator.key) },
    }),
    ...accessDocuments(cluster),
    etcdEncryption(bundle),
    newDocument('KubeServiceAccountConfig', {
      issuer: { privateKey: pemText(k8sserviceaccount.key), issuerURL: cluster.endpoint },
      accepted: publicKeys === undefined ? undefined : { publicKeys },
    }),
    ...podDocuments(cluster),
    ...networkingDocuments(cluster),
    ...cluster.inlineManifests.map(({ name, contents }) =>
      newDocument('KubeInlineManifestConfig', { name, manifest: contents }),
    ),
  ]
}

/** Talos's default authorization, which newer versions no longer assume. */
function accessDocuments(cluster: TalosCluster): ConfigObject[] {
  const paths = ['/livez', '/readyz', '/healthz'].map((path) => ({ path }))
  return [
    newDocument('KubeAdmissionControlConfig', { name: 'PodSecurity', configuration: podSecurity }),
    newDocument('KubeAuditPolicyConfig', { configuration: cluster.auditPolicy ?? auditPolicy }),
    newDocument('KubeAuthenticationConfig', {
      configuration: { anonymous: { conditions: paths, enabled: true }, jwt: oidcIssuers(cluster) },
    }),
    newDocument('KubeAuthorizerConfig', { name: 'node', type: 'Node' }),
    newDocument('KubeAuthorizerConfig', { name: 'rbac', type: 'RBAC' }),
  ]
}

function podDocuments(cluster: TalosCluster): ConfigObject[] {
  const extraArgs = mapUnlessEmpty(featureGateArgs(cluster))
  const image = (part: Parameters<typeof kubernetesImage>[0]) => kubernetesImage(part, cluster.kubernetesVersion)
  return [
    newDocument('KubeAPIServerConfig', {
      image: image('kube-apiserver'),
      extraArgs,
      certExtraSANs: listUnlessEmpty(cluster.apiServerCertSans),
    }),
    newDocument('KubeControllerManagerConfig', { image: image('kube-controller-manager'), extraArgs }),
    newDocument('KubeSchedulerConfig', { image: image('kube-scheduler'), extraArgs, config: {} }),
    newDocument('KubeProxyConfig', {
      enabled: cluster.kubeProxy ? undefined : false,
      image: image('kube-proxy'),
      config: {},
    }),
  ]
}

/** Without a CNI document Talos installs none. */
function networkingDocuments({ cni }: TalosCluster): ConfigObject[] {
  const flannel = newDocument('KubeFlannelCNIConfig', { backendType: 'vxlan', backendPort: 4789 })
  const urls = cni.name === 'custom' ? cni.urls : []
  return [
    ...(cni.name === 'flannel' ? [flannel] : []),
    newDocument('KubeCoreDNSConfig', { enabled: true }),
    ...urls.map((url, index) =>
      newDocument('KubeExternalManifestConfig', { name: index === 0 ? 'custom-cni' : `custom-cni-${index + 1}`, url }),
    ),
  ]
}
