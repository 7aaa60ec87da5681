import { stringify } from 'yaml'
import { type Authority, type Issued, issueCertificate, type Leaf, makeAuthority } from '../pki/issue-certificate.js'

const year = 365 * 24 * 3_600_000

/** The secrets of a test cluster, with its configs and client certificates. */
export interface TestCluster {
  readonly os: Authority
  client(roles: readonly string[], lifetimeMs?: number, usage?: Leaf['usage']): Issued
  config(machine: NodeConfigInput): string
}

interface NodeConfigInput {
  readonly name?: string
  readonly role?: 'controlplane' | 'worker'
  readonly mac?: string
  /** With prefix; DHCP if absent. */
  readonly cidr?: string
  readonly vip?: string
  readonly kubernetes?: string
  readonly extra?: string
  /** Merged into `machine` and `cluster` of v1alpha1. */
  readonly machine?: object
  readonly cluster?: object
}

export function aCluster(endpoint = 'https://10.5.0.2:6443'): TestCluster {
  const [os, etcd, kubernetes, aggregator] = Array.from({ length: 4 }, () =>
    makeAuthority(new Date(Date.now() - 60_000), new Date(Date.now() + 10 * year)),
  )
  if (os === undefined || etcd === undefined || kubernetes === undefined || aggregator === undefined) {
    throw new Error('Four authorities are needed.')
  }
  return {
    os,
    client: (roles, lifetimeMs = year, usage = 'client') =>
      issueCertificate(os, {
        usage,
        organizations: roles,
        notBefore: new Date(Date.now() - Math.max(60_000, -2 * lifetimeMs)),
        notAfter: new Date(Date.now() + lifetimeMs),
      }),
    config: (input) => configOf(input, { os, etcd, kubernetes, aggregator }, endpoint),
  }
}

function configOf(
  input: NodeConfigInput,
  cas: Record<'os' | 'etcd' | 'kubernetes' | 'aggregator', Authority>,
  endpoint: string,
): string {
  const { role = 'controlplane', mac, cidr, vip, name, kubernetes = 'v1.36.3', extra = '' } = input
  const isControlPlane = role === 'controlplane'
  const pair = ({ crt, key }: Authority) => ({ crt: base64(crt), key: isControlPlane ? base64(key) : '' })
  const link = {
    deviceSelector: { hardwareAddr: mac ?? '' },
    ...(cidr === undefined ? { dhcp: true } : { addresses: [cidr] }),
    ...(vip === undefined ? {} : { vip: { ip: vip } }),
  }
  const v1alpha1 = {
    version: 'v1alpha1',
    debug: false,
    persist: true,
    machine: {
      type: role,
      token: 'abcdef.0123456789abcdef',
      ca: pair(cas.os),
      certSANs: [],
      kubelet: { image: `ghcr.io/siderolabs/kubelet:${kubernetes}` },
      network: {
        ...(name === undefined ? {} : { hostname: name }),
        ...(mac === undefined ? {} : { interfaces: [link] }),
      },
      install: { disk: '/dev/sda', image: '', wipe: false },
      features: { diskQuotaSupport: true },
      ...input.machine,
    },
    cluster: {
      id: 'Y2x1c3Rlcg==',
      secret: Buffer.alloc(32, 7).toString('base64'),
      controlPlane: { endpoint },
      clusterName: 'dev',
      network: { dnsDomain: 'cluster.local', podSubnets: ['10.244.0.0/16'], serviceSubnets: ['10.96.0.0/12'] },
      token: 'fedcba.0123456789abcdef',
      ca: pair(cas.kubernetes),
      discovery: { enabled: true, registries: { kubernetes: { disabled: true }, service: {} } },
      ...(isControlPlane ? controlPlaneParts(cas, kubernetes) : {}),
      ...input.cluster,
    },
  }
  return `${stringify(v1alpha1, { aliasDuplicateObjects: false })}${extra}`
}

function controlPlaneParts(cas: Record<'etcd' | 'aggregator', Authority>, kubernetes: string) {
  const pair = ({ crt, key }: Authority) => ({ crt: base64(crt), key: base64(key) })
  return {
    secretboxEncryptionSecret: Buffer.alloc(32, 1).toString('base64'),
    aggregatorCA: pair(cas.aggregator),
    serviceAccount: { key: base64(cas.aggregator.key) },
    apiServer: { image: `registry.k8s.io/kube-apiserver:${kubernetes}` },
    controllerManager: { image: `registry.k8s.io/kube-controller-manager:${kubernetes}` },
    scheduler: { image: `registry.k8s.io/kube-scheduler:${kubernetes}` },
    proxy: { image: `registry.k8s.io/kube-proxy:${kubernetes}` },
    etcd: { ca: pair(cas.etcd) },
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
