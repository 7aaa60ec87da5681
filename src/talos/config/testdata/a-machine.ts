import type { SecretsBundle } from '../../../secrets/bundle.js'
import type { Link, TalosCluster, TalosMachine } from '../talos-machine.js'

/** A typical cluster. */
export function aCluster(changes: Partial<TalosCluster> = {}): TalosCluster {
  return {
    name: 'dev',
    endpoint: 'https://10.0.10.10:6443',
    kubernetesVersion: 'v1.31.4',
    dnsDomain: 'cluster.local',
    podSubnets: ['10.244.0.0/16'],
    serviceSubnets: ['10.96.0.0/12'],
    cni: { name: 'flannel' },
    kubeProxy: true,
    discovery: true,
    kubePrism: true,
    allowSchedulingOnControlPlanes: false,
    externalCloudProvider: false,
    apiServerCertSans: [],
    featureGates: {},
    inlineManifests: [],
    ...changes,
  }
}

/** A minimal machine. */
export function aMachine(changes: Partial<TalosMachine> = {}): TalosMachine {
  return {
    name: 'dev-cp-1',
    role: 'controlplane',
    contract: 'v1.13',
    cluster: aCluster(),
    hostname: 'dev-cp-1',
    install: { disk: '/dev/sda', image: 'factory.talos.dev/nocloud-installer/376567988ad3:v1.13.9', wipe: false },
    links: [],
    nameservers: [],
    timeServers: [],
    certSans: [],
    kubelet: { nodeIpSubnets: [], extraArgs: {}, rotateServerCertificates: false, extraMounts: [] },
    labels: {},
    annotations: {},
    taints: [],
    userVolumes: [],
    sysctls: {},
    kernelModules: [],
    registries: [],
    logDestinations: [],
    patches: [],
    ...changes,
  }
}

/** A link with a static address and a default route. */
export function aLink(changes: Partial<Link> = {}): Link {
  return {
    select: { mac: 'BC:24:11:00:00:0A' },
    addresses: ['10.0.10.11/24'],
    routes: [{ gateway: '10.0.10.1' }],
    dhcp: false,
    dhcpHostname: false,
    vlans: [],
    ...changes,
  }
}

/** Fake secrets with distinguishable values. */
export function aBundle(): SecretsBundle {
  const pem = (label: string, text: string) =>
    Buffer.from(`-----BEGIN ${label}-----\n${Buffer.from(text).toString('base64')}\n-----END ${label}-----\n`).toString('base64')
  const pair = (name: string) => ({ crt: pem('CERTIFICATE', `${name} certificate`), key: pem('EC PRIVATE KEY', `${name} key`) })
  return {
    cluster: { id: 'the-cluster-id', secret: 'dGhlLWNsdXN0ZXItc2VjcmV0LXRoYXQtaXMtMzJieXQ=' },
    secrets: { bootstraptoken: 'abcdef.0123456789abcdef', secretboxencryptionsecret: 'dGhlLXNlY3JldGJveC1rZXktdGhhdC1pcy0zMi1ieXQ=' },
    trustdinfo: { token: 'fedcba.fedcba9876543210' },
    certs: {
      etcd: pair('etcd'),
      k8s: pair('k8s'),
      k8saggregator: pair('aggregator'),
      k8sserviceaccount: { key: pem('RSA PRIVATE KEY', 'service account key') },
      os: pair('os'),
    },
  }
}
