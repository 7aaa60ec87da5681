import type { SecretsBundle } from '../../../secrets/bundle.js'
import { ConfigError } from '../config-error.js'
import { type ConfigObject, listUnlessEmpty, mapUnlessEmpty, section } from '../config-value.js'
import { newDocument } from '../documents/new-document.js'
import { kubeletArgs } from '../kubernetes-args.js'
import { kubeletImage } from '../kubernetes-images.js'
import { nodeLabels, nodeTaints } from '../node-marks.js'
import type { TalosMachine } from '../talos-machine.js'
import { pemText } from './pem-text.js'

const controlPlaneRole = 'node-role.kubernetes.io/control-plane'

/** What every node knows about Kubernetes: its cluster, itself, its kubelet, the networks and the CA. */
export function nodeDocuments(machine: TalosMachine, { certs, accepted }: SecretsBundle): ConfigObject[] {
  const { cluster, role } = machine
  const cert = pemText(certs.k8s.crt)
  const others = (accepted?.k8s ?? []).map(pemText)
  return [
    newDocument('KubeClusterConfig', { clusterName: cluster.name, endpoint: cluster.endpoint }),
    kubeNode(machine),
    kubelet(machine),
    newDocument('KubeNetworkConfig', {
      dnsDomain: cluster.dnsDomain,
      podSubnets: cluster.podSubnets,
      serviceSubnets: cluster.serviceSubnets,
    }),
    newDocument(
      'KubeAPIServerCAConfig',
      role === 'controlplane'
        ? { issuingCA: { cert, key: pemText(certs.k8s.key) }, acceptedCAs: listUnlessEmpty(others) }
        : { acceptedCAs: [cert, ...others] },
    ),
    ...(cluster.kubePrism ? [newDocument('KubePrismConfig', { port: 7445 })] : []),
  ]
}

/** Up to 1.13 Talos set the role and its taint on control planes; now the config contains them. */
function kubeNode(machine: TalosMachine): ConfigObject {
  const isControlPlane = machine.role === 'controlplane'
  const isTainted = isControlPlane && !machine.cluster.allowSchedulingOnControlPlanes
  const { nodeIpSubnets } = machine.kubelet
  return newDocument('KubeNodeConfig', {
    nodeIP: nodeIpSubnets.length === 0 ? {} : { validSubnets: nodeIpSubnets },
    labels: mapUnlessEmpty({ ...(isControlPlane ? { [controlPlaneRole]: '' } : {}), ...nodeLabels(machine) }),
    annotations: mapUnlessEmpty(machine.annotations),
    taints: mapUnlessEmpty({ ...(isTainted ? { [controlPlaneRole]: 'NoSchedule' } : {}), ...nodeTaints(machine) }),
  })
}

function kubelet(machine: TalosMachine): ConfigObject {
  refuseExtraMounts(machine)
  return section({
    ...newDocument('KubeletConfig', { image: kubeletImage(machine.cluster.kubernetesVersion) }),
    config: {},
    extraArgs: mapUnlessEmpty(kubeletArgs(machine)),
    defaultRuntimeSeccompProfileEnabled: true,
  })
}

function refuseExtraMounts({ name, kubelet }: TalosMachine): void {
  const [first] = kubelet.extraMounts
  if (first === undefined) return
  throw new ConfigError(
    `The kubelet of ${name} has the extra mount ${first.destination}, which configs of v1.14 do not support.`,
    {
      where: `${name}: kubelet extra mounts`,
      fix: 'Use a user volume (mounted at /var/mnt/<name>), or create the cluster with contract v1.13.',
    },
  )
}
