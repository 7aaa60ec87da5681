import { kubeProxyManifest } from '../../kubernetes/seed.js'
import { versionOfImage } from '../config/config-facts.js'
import { findMembership } from '../machine/etcd-life.js'
import { etcdVersionOf } from '../machine/etcd-version.js'
import { secretsVersion } from '../machine/kubernetes-secrets.js'
import type { TalosMachine } from '../machine/machine.js'
import { netIp, proto, struct } from './proto-spec.js'
import type { ResourceItem, ResourceKind } from './resource-kind.js'

/** The cluster's members, its etcd, and the Kubernetes components that run here. */
export const clusterResources: readonly ResourceKind[] = [
  {
    type: 'Members.cluster.talos.dev',
    namespace: 'cluster',
    list: ({ facts, fleet }) => {
      if (facts === undefined || !facts.discovery) return []
      return fleet.discovery.members(facts.clusterId).map((member) => {
        const isControlPlane = member.role === 'controlplane'
        const spec = {
          nodeId: member.nodeId,
          addresses: member.addresses,
          hostname: member.hostname,
          machineType: member.role,
          operatingSystem: member.operatingSystem,
          ...(isControlPlane ? { controlPlane: { port: member.apiPort } } : {}),
        }
        const fields = {
          1: member.nodeId,
          2: member.addresses.map(netIp),
          3: member.hostname,
          4: isControlPlane ? 2 : 3,
          5: member.operatingSystem,
          6: isControlPlane ? proto({ 1: member.apiPort }) : undefined,
        }
        return { id: member.hostname, spec, proto: proto(fields) }
      })
    },
  },
  {
    type: 'Infos.cluster.talos.dev',
    namespace: 'cluster',
    list: ({ facts }) => {
      if (facts === undefined) return []
      const { clusterId, clusterName } = facts
      return [{ id: 'current', spec: { clusterId, clusterName }, proto: proto({ 1: clusterId, 2: clusterName }) }]
    },
  },
  {
    type: 'EtcdMembers.etcd.talos.dev',
    namespace: 'etcd',
    list: (machine) => {
      const membership = findMembership(machine)
      if (membership === undefined || !membership.cluster.isRunning(membership.member)) return []
      return [{ id: 'local', spec: { memberID: membership.member }, proto: proto({ 1: membership.member }) }]
    },
  },
  {
    type: 'EtcdSpecs.etcd.talos.dev',
    namespace: 'etcd',
    list: (machine) => {
      const { facts, hostname, addresses } = machine
      if (facts?.role !== 'controlplane') return []
      const spec = {
        name: hostname,
        advertisedAddresses: addresses,
        image: `registry.k8s.io/etcd:v${etcdVersionOf(machine)}`,
      }
      return [{ id: 'etcd', spec, proto: proto({ 1: hostname, 2: addresses.map(netIp), 3: spec.image }) }]
    },
  },
  {
    type: 'Nodenames.kubernetes.talos.dev',
    namespace: 'k8s',
    list: ({ facts, hostname }) => {
      if (facts === undefined) return []
      return [
        {
          id: 'nodename',
          spec: { nodename: hostname, hostnameVersion: '1', skipNodeRegistration: false },
          proto: proto({ 1: hostname, 2: '1' }),
        },
      ]
    },
  },
  {
    type: 'NodeStatuses.kubernetes.talos.dev',
    namespace: 'k8s',
    list: ({ facts, hostname, nodeIsReady }) => {
      if (facts === undefined) return []
      const spec = { nodename: hostname, nodeReady: nodeIsReady, unschedulable: false }
      return [{ id: hostname, spec, proto: proto({ 1: hostname, 2: nodeIsReady }) }]
    },
  },
  {
    type: 'KubeletSpecs.kubernetes.talos.dev',
    namespace: 'k8s',
    isSensitive: true,
    list: ({ facts, hostname }) => {
      if (facts === undefined) return []
      const image = facts.images.kubelet ?? ''
      return [{ id: 'kubelet', spec: { image, expectedNodename: hostname }, proto: proto({ 1: image, 4: hostname }) }]
    },
  },
  {
    type: 'KubeletStatuses.kubernetes.talos.dev',
    namespace: 'k8s',
    since: 14,
    list: ({ facts, services }) => {
      const image = facts?.images.kubelet ?? ''
      return services.isHealthy('kubelet') ? [{ id: 'kubelet', spec: { image }, proto: proto({ 1: image }) }] : []
    },
  },
  { type: 'StaticPodStatuses.kubernetes.talos.dev', namespace: 'k8s', list: staticPods },
  {
    type: 'BootstrapManifestsConfigs.kubernetes.talos.dev',
    namespace: 'controlplane',
    list: ({ facts }) => {
      if (facts?.role !== 'controlplane') return []
      const { endpoint, podSubnets, kubeProxy, images, cni } = facts
      const proxyImage = images['kube-proxy'] ?? ''
      const spec = {
        server: endpoint,
        clusterDomain: 'cluster.local',
        podCIDRs: podSubnets,
        proxyEnabled: kubeProxy,
        proxyImage,
        coreDNSEnabled: true,
        flannelEnabled: cni === 'flannel',
        cniName: cni,
      }
      const fields = {
        1: endpoint,
        2: spec.clusterDomain,
        3: podSubnets,
        4: kubeProxy,
        5: proxyImage,
        7: true,
        11: cni === 'flannel',
        21: cni,
      }
      return [{ id: 'manifests', spec, proto: proto(fields) }]
    },
  },
  {
    type: 'Manifests.kubernetes.talos.dev',
    namespace: 'controlplane',
    list: ({ facts }) => {
      const image = facts?.images['kube-proxy']
      if (facts?.role !== 'controlplane' || !facts.kubeProxy || image === undefined) return []
      const manifest = kubeProxyManifest(image)
      return [{ id: '10-kube-proxy', spec: [manifest], proto: proto({ 1: [proto({ 1: struct(manifest) })] }) }]
    },
  },
  {
    type: 'SecretStatuses.kubernetes.talos.dev',
    namespace: 'controlplane',
    list: (machine) => {
      if (machine.facts?.role !== 'controlplane') return []
      const version = secretsVersion(machine)
      return [{ id: 'static-pods', spec: { ready: true, version }, proto: proto({ 1: true, 2: version }) }]
    },
  },
  componentConfig('APIServerConfigs', 'kube-apiserver', 1, true),
  componentConfig('ControllerManagerConfigs', 'kube-controller-manager', 2),
  componentConfig('SchedulerConfigs', 'kube-scheduler', 2),
]

const staticPodNames = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const

function staticPods({ facts, hostname, staticPodsAreUp, addresses }: TalosMachine): ResourceItem[] {
  if (facts?.role !== 'controlplane' || !staticPodsAreUp) return []
  return staticPodNames.map((name) => {
    const spec = {
      phase: 'Running',
      hostIP: addresses[0] ?? '',
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'ContainersReady', status: 'True' },
      ],
      containerStatuses: [{ name, ready: true, image: facts.images[name] ?? '' }],
    }
    return { id: `kube-system/${name}-${hostname}`, spec, proto: proto({ 1: struct(spec) }) }
  })
}

function componentConfig(
  kind: string,
  component: (typeof staticPodNames)[number],
  imageField: number,
  isSensitive = false,
): ResourceKind {
  return {
    type: `${kind}.kubernetes.talos.dev`,
    namespace: 'controlplane',
    isSensitive,
    list: ({ facts }) => {
      if (facts?.role !== 'controlplane') return []
      const image = facts.images[component] ?? ''
      const spec = { image, version: versionOfImage(image) ?? '' }
      return [{ id: component, spec, proto: proto({ [imageField]: image }) }]
    },
  }
}
