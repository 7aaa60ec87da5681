import type { TestCluster } from '../../../src/simulator/talos/testing/a-cluster.js'

const document = (kind: string, body: string) => `---\napiVersion: v1alpha1\nkind: ${kind}\n${body}\n`

/** Configs, good and bad: Talos's library and the simulated node must agree about each. */
export function configVariants(cluster: TestCluster): Record<string, string> {
  const plain = cluster.config({ name: 'cp' })
  const nameless = (extra: string) => cluster.config({ extra })
  const machine = (part: object) => cluster.config({ machine: part })
  const inCluster = (part: object) => cluster.config({ cluster: part })
  const link = (body: object) => machine({ network: { interfaces: [body] } })
  return {
    'a control plane': plain,
    'a worker': cluster.config({ role: 'worker' }),
    'no documents': '',
    'broken YAML': 'machine: [',
    'no kind': 'foo: bar\n',
    'an unknown kind': nameless(document('HostConfig', 'hostname: a')),
    'a kind of a later version': nameless(document('KubeletConfig', 'image: x')),
    'another apiVersion': nameless('---\napiVersion: v2\nkind: HostnameConfig\nauto: stable\n'),
    'the same document twice': nameless(
      document('HostnameConfig', 'auto: stable') + document('HostnameConfig', 'auto: stable'),
    ),
    'an empty document in between': nameless(`---\n${document('HostnameConfig', 'auto: stable')}`),
    'an unknown key of machine': machine({ instal: {} }),
    'an unknown key of cluster': inCluster({ endpoint: 'https://10.5.0.2:6443' }),
    'an unknown key deep inside': machine({ features: { kubePrism: { ports: 1 } } }),
    'an unknown key of a document': nameless(document('HostnameConfig', 'auto: stable\nname: a')),
    'a made up name': nameless(document('HostnameConfig', 'auto: stable')),
    'a fixed name': nameless(document('HostnameConfig', 'auto: "off"\nhostname: a')),
    'a name that is fixed and made up': nameless(document('HostnameConfig', 'auto: stable\nhostname: a')),
    'a host name document that says nothing': nameless(document('HostnameConfig', '')),
    'a host name in both styles': cluster.config({ name: 'a', extra: document('HostnameConfig', 'auto: stable') }),
    'nameservers in a document': nameless(document('ResolverConfig', 'nameservers: [{ address: 1.1.1.1 }]')),
    'nameservers in both styles': cluster.config({
      machine: { network: { nameservers: ['1.1.1.1'] } },
      extra: document('ResolverConfig', 'nameservers: [{ address: 1.1.1.1 }]'),
    }),
    'time servers in both styles': cluster.config({
      machine: { time: { servers: ['a.org'] } },
      extra: document('TimeSyncConfig', 'ntp: { servers: [b.org] }'),
    }),
    'KubeSpan in both styles': cluster.config({
      machine: { network: { kubespan: { enabled: true } } },
      extra: document('KubeSpanConfig', 'enabled: true'),
    }),
    'a link by document': nameless(document('LinkConfig', 'name: eth0\naddresses: [{ address: 10.5.0.2/24 }]')),
    'a link twice': nameless(document('LinkConfig', 'name: eth0') + document('DummyLinkConfig', 'name: eth0')),
    'an alias for a link': nameless(
      document('LinkAliasConfig', 'name: net0\nselector: { match: mac(link.permanent_addr) == "bc:24:11:00:00:01" }'),
    ),
    'a VIP on a control plane': link({ interface: 'eth0', dhcp: true, vip: { ip: '10.5.0.50' } }),
    'a VIP on a worker': cluster.config({
      role: 'worker',
      machine: { network: { interfaces: [{ interface: 'eth0', dhcp: true, vip: { ip: '10.5.0.50' } }] } },
    }),
    'a VIP document on a control plane': nameless(document('Layer2VIPConfig', 'name: 10.5.0.50\nlink: eth0')),
    'a worker with the CA key': cluster.config({ role: 'worker', machine: { ca: caOf(plain, 'machine') } }),
    'a worker with the Kubernetes CA key': cluster.config({ role: 'worker', cluster: { ca: caOf(plain, 'cluster') } }),
    'a worker with an etcd section': cluster.config({ role: 'worker', cluster: { etcd: {} } }),
    'a control plane without the CA key': machine({ ca: { crt: caOf(plain, 'machine').crt, key: '' } }),
    'no CA at all': machine({ ca: { crt: '', key: '' } }),
    'no machine type': machine({ type: undefined }),
    'an unknown machine type': machine({ type: 'master' }),
    'Kubernetes that is too new': cluster.config({ kubernetes: 'v1.37.0' }),
    'Kubernetes that is too old': cluster.config({ kubernetes: 'v1.30.1' }),
    'the oldest Kubernetes': cluster.config({ kubernetes: 'v1.31.0' }),
    'discovery without an id': inCluster({ id: '' }),
    'discovery without a secret': inCluster({ secret: '' }),
    'no discovery and no id': inCluster({ id: '', secret: '', discovery: { enabled: false } }),
    'an endpoint that is no URL': inCluster({ controlPlane: { endpoint: 'nonsense' } }),
    'an endpoint without TLS': inCluster({ controlPlane: { endpoint: 'http://10.5.0.2:6443' } }),
    'no endpoint': inCluster({ controlPlane: {} }),
    'persist switched off': plain.replace('persist: true', 'persist: false'),
    'no install section': machine({ install: undefined }),
    'an install section without a disk': machine({ install: {} }),
    'kernel arguments beside those of the UKI': machine({
      install: { disk: '/dev/sda', extraKernelArgs: ['a=b'], grubUseUKICmdline: true },
    }),
    'kernel arguments in the old way': machine({ install: { disk: '/dev/sda', extraKernelArgs: ['a=b'] } }),
    'a kubelet setting that Talos owns': machine({ kubelet: { extraConfig: { port: 1 } } }),
    'a kubelet setting of the user': machine({ kubelet: { extraConfig: { maxPods: 200 } } }),
    'a kubelet argument that Talos owns': machine({ kubelet: { extraArgs: { kubeconfig: '/x' } } }),
    'kubelet arguments of the user': machine({ kubelet: { extraArgs: { 'rotate-server-certificates': 'true' } } }),
    'labels, annotations and taints': machine({
      nodeLabels: { a: 'b' },
      nodeAnnotations: { a: 'b' },
      nodeTaints: { a: 'b:NoSchedule' },
    }),
    'a taint without an effect': machine({ nodeTaints: { a: 'b:Nothing' } }),
    'a pod network that is not valid': inCluster({ network: { podSubnets: ['nonsense'] } }),
    'a CNI outside the three': inCluster({ network: { cni: { name: 'calico' } } }),
    'a custom CNI without a URL': inCluster({ network: { cni: { name: 'custom' } } }),
    'Flannel with URLs': inCluster({ network: { cni: { name: 'flannel', urls: ['https://a.org/x.yaml'] } } }),
    'no CNI': inCluster({ network: { cni: { name: 'none' } } }),
    'a DNS domain that is not valid': inCluster({ network: { dnsDomain: 'a b' } }),
    'kube-dns forwarded to a host that does not serve DNS': machine({
      features: { hostDNS: { enabled: false, forwardKubeDNSToHost: true } },
    }),
    'inline manifests': inCluster({ inlineManifests: [{ name: 'a', contents: '' }] }),
    'an inline manifest without a name': inCluster({ inlineManifests: [{ name: '', contents: '' }] }),
    'inline manifests of one name': inCluster({
      inlineManifests: [
        { name: 'a', contents: '' },
        { name: 'a', contents: '' },
      ],
    }),
    'an external cloud provider': inCluster({ externalCloudProvider: { enabled: true } }),
    'manifests of a cloud provider that is off': inCluster({
      externalCloudProvider: { manifests: ['https://a.org/x'] },
    }),
    'a manifest of a cloud provider that is no URL': inCluster({
      externalCloudProvider: { enabled: true, manifests: ['x'] },
    }),
    'KubeSpan without discovery': cluster.config({
      machine: { network: { kubespan: { enabled: true } } },
      cluster: { discovery: { enabled: false } },
    }),
    'a label that Kubernetes would refuse': machine({ nodeLabels: { 'a b': 'c' } }),
    'a label with a value that Kubernetes would refuse': machine({ nodeLabels: { a: 'b c' } }),
    'a label with a prefix and without a value': machine({ nodeLabels: { 'node.kubernetes.io/x': '' } }),
    'an annotation that Kubernetes would refuse': machine({ nodeAnnotations: { 'a b': 'c' } }),
    'a taint of an effect alone': machine({ nodeTaints: { a: 'NoExecute' } }),
    'a device without a name': link({ dhcp: true }),
    'a device with name and selector': link({
      interface: 'eth0',
      deviceSelector: { hardwareAddr: 'bc:24:11:00:00:01' },
    }),
    'a device with an empty selector': link({ deviceSelector: {} }),
    'a control plane without the etcd CA': inCluster({ etcd: {} }),
    'accepted CAs beside the own': machine({ acceptedCAs: [{ crt: caOf(plain, 'machine').crt }] }),
    'a user volume on a whole disk': nameless(
      document(
        'UserVolumeConfig',
        'name: data\nvolumeType: disk\nprovisioning: { diskSelector: { match: "!system_disk" } }',
      ),
    ),
    'a user volume without a disk': nameless(
      document('UserVolumeConfig', 'name: data\nprovisioning: { minSize: 1GiB }'),
    ),
    'a user volume': nameless(
      document(
        'UserVolumeConfig',
        'name: data\nprovisioning: { diskSelector: { match: "!system_disk" }, minSize: 1GiB }',
      ),
    ),
    'a user volume without a size': nameless(
      document('UserVolumeConfig', 'name: data\nprovisioning: { diskSelector: { match: "!system_disk" } }'),
    ),
    'an encrypted volume in both styles': cluster.config({
      machine: { systemDiskEncryption: { ephemeral: { provider: 'luks2', keys: [{ slot: 0, nodeID: {} }] } } },
      extra: document(
        'VolumeConfig',
        'name: EPHEMERAL\nencryption: { provider: luks2, keys: [{ slot: 0, nodeID: {} }] }',
      ),
    }),
  }
}

function caOf(config: string, section: 'machine' | 'cluster'): { crt: string; key: string } {
  const start = config.indexOf(`\n${section}:`)
  const [, crt = '', key = ''] =
    /\n {2}ca:\n {4}crt: (?:>-\n\s+)?(\S+)\n {4}key: (?:>-\n\s+)?(\S+)/.exec(config.slice(start)) ?? []
  return { crt, key }
}
