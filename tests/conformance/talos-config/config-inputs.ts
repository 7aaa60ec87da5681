import { firewallPolicy } from '../../../src/capabilities/firewall/policy/policy.js'
import { talosRules } from '../../../src/capabilities/firewall/policy/talos-rules.js'
import type { Link, TalosCluster, TalosMachine } from '../../../src/talos/config/talos-machine.js'
import { aCluster, aLink, aMachine } from '../../../src/talos/config/testdata/a-machine.js'

/** One machine to render; what the library's generator knows nothing of stands under its name in `specs.ts`. */
export interface ConfigInput {
  readonly name: string
  readonly machine: TalosMachine
  /** The first and last style that can say it; all when absent. */
  readonly contracts?: { readonly from?: number; readonly until?: number }
}

type Change = Omit<Partial<TalosMachine>, 'cluster'> & { readonly cluster?: Partial<TalosCluster> }

function input(name: string, change: Change = {}, contracts?: ConfigInput['contracts']): ConfigInput {
  const { cluster, ...rest } = change
  const machine = aMachine({ ...rest, cluster: aCluster(cluster) })
  return { name, machine, ...(contracts === undefined ? {} : { contracts }) }
}

const dataLink = '/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_data-1'

/** The name is left to DHCP. */
function withoutHostname({ machine, ...rest }: ConfigInput): ConfigInput {
  const { hostname: _, ...nameless } = machine
  return { ...rest, machine: nameless }
}

/** As the inventory makes it, with ports that lie inside others. */
function firewallFor(role: TalosMachine['role'], deny: boolean) {
  return talosRules(
    firewallPolicy(
      {
        firewall: {
          admin_networks: ['192.168.7.0/24', 'fd00:7::/64'],
          default_deny: deny,
          node_ports: ['10.1.0.0/16'],
          open_ports: [{ port: 30_080, protocol: 'tcp', from: ['0.0.0.0/0'] }],
        },
        network: { cidr: '10.0.10.0/24', pod_cidr: '10.244.0.0/16' },
        kubernetes: { cni: 'flannel' },
        addons: { custom: [] },
        talos_version: 'v1.13.9',
      },
      role,
    ),
  )
}

const worker = { role: 'worker', name: 'dev-wk-1', hostname: 'dev-wk-1' } as const
const linkWith = (changes: Partial<Link>) => ({ links: [aLink(changes)] })
const ca = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBhjCCASugAwIBAgIUTGU/GtEUhWs/JbuAzJq77x0rxXkwCgYIKoZIzj0EAwIw',
  'FzEVMBMGA1UEAwwMcmVnaXN0cnkubGFuMCAXDTI2MTExNTA1MjEwNVoYDzIxMjYx',
  'MDIyMDUyMTA1WjAXMRUwEwYDVQQDDAxyZWdpc3RyeS5sYW4wWTATBgcqhkjOPQIB',
  'BggqhkjOPQMBBwNCAATBNOAWnHgqPj8TQPexI4gzjpzBHlPoRpU40JtChZOiSxXz',
  'iqaw58nNvxW+wiW8xjEuFLFQUn57LLTFpNORYnTvo1MwUTAdBgNVHQ4EFgQUxl9T',
  'Yezfjrdx5dA1eV6KtQLvOoUwHwYDVR0jBBgwFoAUxl9TYezfjrdx5dA1eV6KtQLv',
  'OoUwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAhu0BWmGr+J/J',
  '8jT0YRe1HZdC3L3dMNncriNeG9ZvejsCIQDGmWtOps7/5rBVnccaHFw8hmsEIHe+',
  'ctMAKy5KRgnX/Q==',
  '-----END CERTIFICATE-----',
  '',
].join('\n')
const kubelet = { nodeIpSubnets: [], extraArgs: {}, rotateServerCertificates: false, extraMounts: [] }
const mirror = { mirrors: ['https://mirror.lan'], skipFallback: false, insecure: false }

/** Varied machines: every field of `TalosMachine` alone, and whole ones. */
export const configInputs: readonly ConfigInput[] = [
  input('a bare control plane'),
  input('a bare worker', worker),
  withoutHostname(input('a control plane without a name')),
  withoutHostname(input('a worker without a name', worker)),
  input('a static address and a gateway', linkWith({})),
  input('a worker with a static address', {
    ...worker,
    ...linkWith({ addresses: ['10.0.10.21/24'] }),
  }),
  input('a shared address', linkWith({ vip: '10.0.10.10' })),
  input('DHCP with a name of our own', linkWith({ addresses: [], routes: [], dhcp: true })),
  withoutHostname(
    input(
      'a control plane by DHCP that names it',
      linkWith({ addresses: [], routes: [], dhcp: true, dhcpHostname: true }),
    ),
  ),

  input('a link by its bus path', linkWith({ select: { busPath: '0000:06:12.0' } })),
  input('two links', {
    links: [
      aLink(),
      aLink({ select: { mac: 'BC:24:11:00:00:0B' }, addresses: ['192.168.7.11/24'], routes: [], mtu: 9000 }),
    ],
  }),
  input('three links, one of them idle', {
    links: [
      aLink(),
      aLink({ select: { mac: 'BC:24:11:00:00:0B' }, addresses: [], routes: [] }),
      aLink({ select: { mac: 'BC:24:11:00:00:0C' }, addresses: [], routes: [], dhcp: true }),
    ],
  }),
  input('dual stack', {
    ...linkWith({
      addresses: ['10.0.10.11/24', 'fd00:10::11/64'],
      routes: [{ gateway: '10.0.10.1' }, { gateway: 'fd00:10::1', metric: 2048 }],
    }),
    cluster: { podSubnets: ['10.244.0.0/16', 'fd00:244::/56'], serviceSubnets: ['10.96.0.0/12', 'fd00:96::/112'] },
  }),
  input('IPv6 alone', {
    ...linkWith({ addresses: ['fd00:10::11/64'], routes: [{ gateway: 'fd00:10::1' }], vip: 'fd00:10::10' }),
    cluster: {
      endpoint: 'https://[fd00:10::10]:6443',
      podSubnets: ['fd00:244::/56'],
      serviceSubnets: ['fd00:96::/112'],
    },
  }),
  input(
    'a route to one network',
    linkWith({ routes: [{ destination: '172.16.0.0/12', gateway: '10.0.10.2', metric: 50 }] }),
  ),
  input(
    'a VLAN with an address and a shared one',
    linkWith({
      vlans: [{ id: 100, addresses: ['10.1.0.11/24'], dhcp: false, vip: '10.1.0.10', gateway: '10.1.0.1', mtu: 1400 }],
    }),
  ),
  input(
    'VLANs by DHCP',
    linkWith({
      vlans: [
        { id: 7, addresses: [], dhcp: true },
        { id: 8, addresses: [], dhcp: true, mtu: 1500 },
      ],
    }),
  ),
  input(
    'a bond with LACP',
    linkWith({
      bond: {
        members: [{ mac: 'BC:24:11:00:00:0B' }],
        mode: '802.3ad',
        options: { xmitHashPolicy: 'layer3+4', lacpRate: 'fast', miimon: 100, updelay: 200, downdelay: 200 },
      },
    }),
  ),
  input(
    'a bond in active-backup with a VLAN',
    linkWith({
      bond: {
        members: [{ mac: 'BC:24:11:00:00:0B' }, { mac: 'BC:24:11:00:00:0C' }],
        mode: 'active-backup',
        options: { resendIgmp: 2, miimon: 100 },
      },
      vlans: [{ id: 20, addresses: ['10.2.0.11/24'], dhcp: false }],
    }),
  ),
  input('a large MTU', linkWith({ mtu: 9000 })),
  input('nameservers', { nameservers: ['10.0.10.1', '2606:4700:4700::1111'] }),
  input('time servers', { timeServers: ['ntp.lan', '10.0.10.1'] }),
  input('names for both APIs', {
    certSans: ['10.0.10.5', 'api.lan'],
    cluster: { apiServerCertSans: ['10.0.10.5', 'api.lan'] },
  }),
  input('names for the Kubernetes API alone', {
    cluster: { apiServerCertSans: ['k8s.lan'] },
  }),
  input('labels, annotations and taints of a worker', {
    ...worker,
    labels: { 'topology.kubernetes.io/zone': 'pve1', 'example.com/rack': '7', 'node-role.kubernetes.io/worker': '' },
    annotations: { 'example.com/owner': 'ops team' },
    taints: [
      { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
      { key: 'slow', effect: 'PreferNoSchedule' },
    ],
  }),
  input('labels and a taint of a control plane', {
    taints: [{ key: 'infra', effect: 'NoExecute' }],
    labels: { 'topology.kubernetes.io/region': 'home', 'node-role.kubernetes.io/infra': '' },
  }),
  input('a kubelet with arguments and a subnet', {
    kubelet: {
      ...kubelet,
      nodeIpSubnets: ['10.0.10.0/24'],
      extraArgs: { 'max-pods': '200' },
      rotateServerCertificates: true,
    },
  }),
  input(
    'extra mounts',
    {
      kubelet: {
        ...kubelet,
        extraMounts: [
          { source: '/var/lib/longhorn', destination: '/var/lib/longhorn', options: ['bind', 'rshared', 'rw'] },
        ],
      },
    },
    { until: 13 },
  ),
  input('feature gates', {
    cluster: { featureGates: { InPlacePodVerticalScaling: true, GracefulNodeShutdown: false } },
  }),
  input('no CNI and no kube-proxy', {
    cluster: { cni: { name: 'none' }, kubeProxy: false },
  }),
  input('a CNI by URL', { cluster: { cni: { name: 'custom', urls: ['https://example.com/cni.yaml'] } } }),
  input('discovery off', { cluster: { discovery: false } }),
  input('KubePrism off', { cluster: { kubePrism: false } }),
  input('discovery off on a worker', { ...worker, cluster: { discovery: false, kubePrism: false } }),
  input('CoreDNS that does not ask the node', { cluster: { forwardKubeDnsToHost: false } }),
  input('pods on control planes', { cluster: { allowSchedulingOnControlPlanes: true } }),
  input('an external cloud provider', { cluster: { externalCloudProvider: true } }),
  input('an external cloud provider on a worker', {
    ...worker,
    cluster: { externalCloudProvider: true },
  }),
  input('another DNS domain and other networks', {
    cluster: { dnsDomain: 'k8s.lan', podSubnets: ['10.42.0.0/16'], serviceSubnets: ['10.43.0.0/16'] },
  }),
  input('manifests of our own', {
    cluster: {
      inlineManifests: [{ name: 'ns', contents: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ci\n' }],
    },
  }),
  input('user volumes by serial number', {
    ...worker,
    userVolumes: [
      { name: 'longhorn', diskMatch: 'disk.serial == "data-1"', devicePath: dataLink, minSize: 10 * 1024 ** 3 },
      {
        name: 'scratch',
        diskMatch: 'disk.dev_path == "/dev/sdc"',
        devicePath: '/dev/sdc',
        minSize: 500 * 1024 ** 2,
      },
    ],
  }),
  input(
    'a user volume by an expression',
    {
      userVolumes: [{ name: 'data', diskMatch: '!system_disk && disk.size > 100u * GiB', minSize: 100_000_000_123 }],
    },
    { from: 10 },
  ),
  input('encrypted disks with the node as key', {
    diskEncryption: { state: true, ephemeral: true, key: 'node-id' },
  }),
  input('an encrypted disk with the TPM', {
    diskEncryption: { state: true, ephemeral: false, key: 'tpm' },
  }),
  input('an encrypted data disk alone', {
    ...worker,
    diskEncryption: { state: false, ephemeral: true, key: 'tpm' },
  }),
  input('etcd on one network of several', { etcdSubnets: ['10.0.10.0/24'] }),
  input('sysctls', { sysctls: { 'vm.nr_hugepages': '1024', 'net.core.somaxconn': '65535' } }),
  input('kernel modules', {
    kernelModules: [
      { name: 'nvme_tcp', parameters: [] },
      { name: 'zfs', parameters: ['zfs_arc_max=1073741824'] },
    ],
  }),
  input('registry mirrors', {
    registries: [
      { host: 'docker.io', ...mirror, mirrors: ['https://mirror.lan', 'http://10.0.10.3:5000'] },
      { host: 'ghcr.io', ...mirror },
    ],
  }),
  input('a private registry', {
    registries: [
      {
        host: 'registry.lan:5000',
        ...mirror,
        mirrors: [],
        insecure: true,
        ca,
        auth: { username: 'ichor', password: 'p@ss: "word"' },
      },
    ],
  }),
  input('a mirror without fallback', {
    registries: [{ host: '*', ...mirror, skipFallback: true }],
  }),
  input('an ingress firewall', {
    ingressFirewall: {
      defaultAction: 'block',
      rules: [
        { name: 'apid', protocol: 'tcp', ports: [50000], from: [{ subnet: '10.0.10.0/24' }] },
        {
          name: 'cni',
          protocol: 'udp',
          ports: [4789, '8472-8473'],
          from: [{ subnet: '10.0.0.0/8', except: '10.9.0.0/16' }, { subnet: 'fd00::/8' }],
        },
      ],
    },
  }),
  input('the firewall of an inventory on a control plane', { ingressFirewall: firewallFor('controlplane', true) }),
  input('the firewall of an inventory on a worker', { ...worker, ingressFirewall: firewallFor('worker', false) }),
  input('an audit policy and an identity provider', {
    cluster: {
      auditPolicy: { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'None', verbs: ['watch'] }] },
      oidc: {
        issuer: 'https://login.example.com',
        clientId: 'dev',
        usernameClaim: 'email',
        usernamePrefix: 'oidc:',
        groupsClaim: 'groups',
        groupsPrefix: 'oidc:',
      },
    },
  }),
  input('logs sent away', { logDestinations: ['tcp://10.0.10.9:6050', 'udp://logs.lan:514'] }),
  input('a disk that is wiped, on arm64', {
    install: { disk: '/dev/nvme0n1', image: 'factory.talos.dev/metal-installer/a1b2c3:v1.0.0', wipe: true },
  }),
  input('everything at once on a worker', {
    ...worker,
    ...linkWith({ vlans: [{ id: 30, addresses: ['10.3.0.21/24'], dhcp: false }] }),
    nameservers: ['10.0.10.1'],
    timeServers: ['ntp.lan'],
    labels: { 'example.com/a': 'b' },
    kubelet: { ...kubelet, nodeIpSubnets: ['10.0.10.0/24'], rotateServerCertificates: true },
    userVolumes: [{ name: 'data', diskMatch: 'disk.serial == "data-1"', devicePath: dataLink, minSize: 1024 ** 4 }],
    diskEncryption: { state: true, ephemeral: true, key: 'node-id' },
    sysctls: { 'vm.max_map_count': '262144' },
    kernelModules: [{ name: 'br_netfilter', parameters: [] }],
    ingressFirewall: { defaultAction: 'accept', rules: [] },
    logDestinations: ['udp://logs.lan:514'],
    cluster: { externalCloudProvider: true, featureGates: { NodeSwap: true }, cni: { name: 'none' } },
  }),
]
