import { stringify } from 'yaml'
import { isolatingPatches } from '../../../src/operations/drill/isolating-patches.js'
import { probeDocuments } from '../../../src/talos/config/documents/probes.js'
import type { TalosMachine } from '../../../src/talos/config/talos-machine.js'
import { aLink, aMachine } from '../../../src/talos/config/testdata/a-machine.js'

/** A machine, and patches that ours and the library's patcher apply to its config. */
export interface PatchCase {
  readonly name: string
  readonly machine: TalosMachine
  readonly patches: readonly string[]
  readonly when: When
}

export interface When {
  /** The minors that it is judged with; all when absent. */
  readonly from?: number
  readonly until?: number
  /** A newer Talos gets it with a config of this style, as a cluster that was upgraded would. */
  readonly contract?: number
}

const plain = aMachine()
const worker = aMachine({ role: 'worker' })
const linked = aMachine({ links: [aLink({ vlans: [{ id: 5, addresses: ['10.5.0.2/24'], dhcp: false }] })] })
const volumes = aMachine({
  userVolumes: [
    { name: 'data', diskMatch: 'disk.serial == "d1"', devicePath: '/dev/disk/by-id/d1', minSize: 1024 ** 3 },
  ],
  ingressFirewall: {
    defaultAction: 'block',
    rules: [{ name: 'apid', protocol: 'tcp', ports: [50000], from: [{ subnet: '10.0.0.0/8' }] }],
  },
})
const busy = aMachine({
  sysctls: { 'vm.max_map_count': '262144', 'net.core.somaxconn': '1024' },
  labels: { 'example.com/a': '1', 'example.com/b': '2' },
  certSans: ['api.lan'],
  nameservers: ['10.0.10.1'],
  timeServers: ['ntp.lan'],
  registries: [{ host: 'docker.io', mirrors: ['https://m.lan'], skipFallback: false, insecure: false }],
  kernelModules: [{ name: 'zfs', parameters: ['a=1'] }],
  logDestinations: ['udp://logs.lan:514'],
})

const classic: When = { contract: 13 }
const old: When = { contract: 11 }
const documents: When = { from: 12 }
const split: When = { from: 14 }

const head = (kind: string) => `apiVersion: v1alpha1\nkind: ${kind}\n`
const on =
  (machine: TalosMachine) =>
  (when: When, name: string, ...patches: readonly string[]): PatchCase => ({ name, machine, patches, when })

const onPlain = on(plain)
const onWorker = on(worker)
const onLinked = on(linked)
const onVolumes = on(volumes)
const onBusy = on(busy)
const all: When = {}

/** Scalars, maps and structures of the classic document. */
const scalarsAndMaps: readonly PatchCase[] = [
  onPlain(all, 'a new sysctl', 'machine:\n  sysctls:\n    net.ipv4.ip_forward: "1"\n'),
  onBusy(classic, 'a sysctl with another value', 'machine:\n  sysctls:\n    vm.max_map_count: "1"\n'),
  onBusy(classic, 'an empty value does not replace one in a map', 'machine:\n  sysctls:\n    vm.max_map_count: ""\n'),
  onPlain(all, 'a number where text is wanted', 'machine:\n  sysctls:\n    a.b: 1\n    c.d: 1.10\n    e.f: true\n'),
  onPlain(classic, 'a label', 'machine:\n  nodeLabels:\n    rack: "7"\n'),
  onBusy(classic, 'an empty label does not replace one', 'machine:\n  nodeLabels:\n    example.com/a: ""\n'),
  onPlain(all, 'an environment variable', 'machine:\n  env:\n    HTTP_PROXY: http://proxy.lan:3128\n'),
  onPlain(all, 'debug on', 'debug: true\n'),
  onPlain(all, 'a token', 'machine:\n  token: aaaaaa.bbbbbbbbbbbbbbbb\n'),
  onPlain(all, 'an empty token does not replace', 'machine:\n  token: ""\n'),
  onPlain(classic, 'another kubelet image', 'machine:\n  kubelet:\n    image: example.com/kubelet:v1\n'),
  onPlain(classic, 'a boolean off', 'machine:\n  kubelet:\n    defaultRuntimeSeccompProfileEnabled: false\n'),
  onPlain(classic, 'a boolean off in YAML 1.1', 'machine:\n  kubelet:\n    defaultRuntimeSeccompProfileEnabled: no\n'),
  onPlain(classic, 'KubePrism on another port', 'machine:\n  features:\n    kubePrism:\n      port: 7446\n'),
  onPlain(classic, 'port zero does not replace', 'machine:\n  features:\n    kubePrism:\n      port: 0\n'),
  onPlain(classic, 'KubePrism off', 'machine:\n  features:\n    kubePrism:\n      enabled: false\n'),
  onPlain(classic, 'another install disk', 'machine:\n  install:\n    disk: /dev/vda\n'),
  onPlain(classic, 'an install disk selector', 'machine:\n  install:\n    diskSelector:\n      size: ">= 100GB"\n'),
  onPlain(classic, 'an endpoint', 'cluster:\n  controlPlane:\n    endpoint: https://k8s.lan:443\n'),
  onPlain(classic, 'a cluster name', 'cluster:\n  clusterName: prod\n'),
  onPlain(all, 'a CA certificate without its key keeps the key', 'machine:\n  ca:\n    crt: LS0tLS1CRUdJTg==\n'),
  onPlain(all, 'null changes nothing', 'machine:\n  token: null\n  certSANs: null\n'),
  onPlain(all, 'an empty section changes nothing', 'machine: {}\ncluster: {}\n'),
  onPlain(all, 'an empty patch changes nothing', 'version: v1alpha1\n'),
  onPlain(classic, 'kubelet arguments', 'machine:\n  kubelet:\n    extraArgs:\n      max-pods: "200"\n      v: 4\n'),
  onPlain(
    { from: 13, contract: 13 },
    'a kubelet argument with several values',
    'machine:\n  kubelet:\n    extraArgs:\n      register-with-taints: [a=b:NoSchedule, c=d:NoExecute]\n',
  ),
  onPlain(
    classic,
    'kubelet arguments twice',
    'machine:\n  kubelet:\n    extraArgs:\n      v: "4"\n',
    'machine:\n  kubelet:\n    extraArgs:\n      v: "5"\n      w: "1"\n',
  ),
  onPlain(classic, 'disable kube-proxy', 'cluster:\n  proxy:\n    disabled: true\n'),
  onPlain(classic, 'no CNI', 'cluster:\n  network:\n    cni:\n      name: none\n'),
  onPlain(classic, 'discovery off', 'cluster:\n  discovery:\n    enabled: false\n'),
  onWorker(all, 'an external cloud provider', 'cluster:\n  externalCloudProvider:\n    enabled: true\n'),
  onPlain(all, 'an admin kubeconfig with another lifetime', 'cluster:\n  adminKubeconfig:\n    certLifetime: 24h\n'),
  onPlain(
    classic,
    'aliases and merge keys',
    'machine:\n  kubelet:\n    extraArgs: &args\n      v: "4"\ncluster:\n  scheduler:\n    extraArgs:\n      <<: *args\n      w: "1"\n',
  ),
]

/** Lists: grown, replaced, or merged by what names their elements. */
const lists: readonly PatchCase[] = [
  onBusy(all, 'a list grows', 'machine:\n  certSANs:\n    - 10.0.10.5\n'),
  onBusy(all, 'a list grows even by what it has', 'machine:\n  certSANs: [api.lan]\n'),
  onBusy(all, 'an empty list changes nothing', 'machine:\n  certSANs: []\n'),
  onPlain(classic, 'pod subnets are replaced', 'cluster:\n  network:\n    podSubnets: [10.42.0.0/16]\n'),
  onPlain(
    classic,
    'service subnets are replaced',
    'cluster:\n  network:\n    serviceSubnets: [10.43.0.0/16, "fd00:43::/112"]\n',
  ),
  onBusy(old, 'nameservers grow', 'machine:\n  network:\n    nameservers: [1.1.1.1]\n'),
  onBusy(old, 'time servers grow', 'machine:\n  time:\n    servers: [ntp2.lan]\n'),
  onBusy(
    classic,
    'kernel modules grow',
    'machine:\n  kernel:\n    modules:\n      - name: zfs\n        parameters: [b=2]\n',
  ),
  onBusy(
    all,
    'log destinations grow',
    'machine:\n  logging:\n    destinations:\n      - endpoint: tcp://10.0.0.1:99\n        format: json_lines\n',
  ),
  onPlain(
    all,
    'files with an octal mode',
    'machine:\n  files:\n    - path: /var/a\n      permissions: 0o644\n      op: create\n      content: |\n        one\n        two\n    - path: /var/b\n      permissions: 0600\n      op: create\n      content: x\n',
  ),
  onPlain(
    classic,
    'extra mounts',
    'machine:\n  kubelet:\n    extraMounts:\n      - destination: /var/x\n        type: bind\n        source: /var/x\n        options: [bind, rw]\n',
  ),
  onLinked(
    old,
    'an interface is found by its selector',
    'machine:\n  network:\n    interfaces:\n      - deviceSelector:\n          hardwareAddr: bc:24:11:00:00:0a\n        mtu: 9000\n',
  ),
  onLinked(
    old,
    'an interface with another selector is added',
    'machine:\n  network:\n    interfaces:\n      - deviceSelector:\n          hardwareAddr: bc:24:11:00:00:ff\n        dhcp: true\n',
  ),
  onLinked(
    old,
    'an interface with more in its selector is added',
    'machine:\n  network:\n    interfaces:\n      - deviceSelector:\n          hardwareAddr: bc:24:11:00:00:0a\n          driver: virtio_net\n        dhcp: true\n',
  ),
  onLinked(
    old,
    'an interface by its name is added, then merged',
    'machine:\n  network:\n    interfaces:\n      - interface: eth1\n        dhcp: true\n',
    'machine:\n  network:\n    interfaces:\n      - interface: eth1\n        mtu: 1400\n',
  ),
  onLinked(
    old,
    'a VLAN is found by its id',
    'machine:\n  network:\n    interfaces:\n      - deviceSelector:\n          hardwareAddr: bc:24:11:00:00:0a\n        vlans:\n          - vlanId: 5\n            mtu: 1400\n          - vlanId: 6\n            dhcp: true\n',
  ),
  onLinked(
    old,
    'addresses of an interface grow',
    'machine:\n  network:\n    interfaces:\n      - deviceSelector:\n          hardwareAddr: bc:24:11:00:00:0a\n        addresses: [10.0.10.99/24]\n',
  ),
  onPlain(
    classic,
    'an admission plugin is found by its name',
    'cluster:\n  apiServer:\n    admissionControl:\n      - name: PodSecurity\n        configuration:\n          exemptions:\n            namespaces: [rook-ceph]\n',
  ),
  onPlain(
    classic,
    'another admission plugin is added',
    'cluster:\n  apiServer:\n    admissionControl:\n      - name: EventRateLimit\n        configuration:\n          limits:\n            - type: Server\n              qps: 50\n',
  ),
  onPlain(
    classic,
    'the audit policy is replaced',
    'cluster:\n  apiServer:\n    auditPolicy:\n      apiVersion: audit.k8s.io/v1\n      kind: Policy\n      rules:\n        - level: None\n',
  ),
  onPlain(
    all,
    'static pods',
    'machine:\n  pods:\n    - apiVersion: v1\n      kind: Pod\n      metadata:\n        name: nginx\n      spec:\n        containers:\n          - name: nginx\n            image: nginx\n',
  ),
  onPlain(
    classic,
    'inline manifests',
    'cluster:\n  inlineManifests:\n    - name: ns\n      contents: |\n        apiVersion: v1\n        kind: Namespace\n',
  ),
  onPlain(
    classic,
    'extra manifests twice',
    'cluster:\n  extraManifests: [https://a.example/1.yaml]\n',
    'cluster:\n  extraManifests: [https://a.example/2.yaml]\n',
  ),
]

/** Objects without a schema. */
const freeForm: readonly PatchCase[] = [
  onPlain(
    classic,
    'kubelet extra config',
    'machine:\n  kubelet:\n    extraConfig:\n      serverTLSBootstrap: true\n      maxPods: 200\n',
  ),
  onPlain(
    classic,
    'kubelet extra config twice',
    'machine:\n  kubelet:\n    extraConfig:\n      evictionHard:\n        memory.available: 5%\n      list: [1]\n',
    'machine:\n  kubelet:\n    extraConfig:\n      evictionHard:\n        nodefs.available: 10%\n      list: [2]\n',
  ),
  onPlain(
    classic,
    'a value of another type in extra config',
    'machine:\n  kubelet:\n    extraConfig:\n      maxPods: 200\n',
    'machine:\n  kubelet:\n    extraConfig:\n      maxPods: many\n',
  ),
  onPlain(
    classic,
    'zero does not replace in extra config',
    'machine:\n  kubelet:\n    extraConfig:\n      maxPods: 200\n      on: true\n',
    'machine:\n  kubelet:\n    extraConfig:\n      maxPods: 0\n      on: false\n',
  ),
  onPlain(
    classic,
    'PodSecurity enforces something else',
    'cluster:\n  apiServer:\n    admissionControl:\n      - name: PodSecurity\n        configuration:\n          defaults:\n            enforce: privileged\n',
  ),
  onPlain(split, 'KubeletConfig has free config', `${head('KubeletConfig')}config:\n  maxPods: 200\n`),
  onPlain(
    split,
    'the audit policy document is replaced',
    `${head('KubeAuditPolicyConfig')}configuration:\n  apiVersion: audit.k8s.io/v1\n  kind: Policy\n  rules: []\n`,
  ),
  onPlain(
    split,
    'the authentication document is replaced',
    `${head('KubeAuthenticationConfig')}configuration:\n  anonymous:\n    enabled: false\n`,
  ),
  onPlain(
    split,
    'an admission plugin document merges',
    `${head('KubeAdmissionControlConfig')}name: PodSecurity\nconfiguration:\n  exemptions:\n    namespaces: [rook-ceph]\n`,
  ),
]

/** Documents beside the classic one. */
const manyDocuments: readonly PatchCase[] = [
  onPlain(all, 'a document is added', `${head('WatchdogTimerConfig')}device: /dev/watchdog0\ntimeout: 5m0s\n`),
  onPlain(
    all,
    'two documents are added',
    `${head('KmsgLogConfig')}name: a\nurl: tcp://10.0.0.1:1000\n---\n${head('KmsgLogConfig')}name: b\nurl: udp://10.0.0.1:1000\n`,
  ),
  onPlain(
    all,
    'a classic document and another one',
    `machine:\n  env:\n    A: b\n---\n${head('EventSinkConfig')}endpoint: 10.0.0.1:3247\n`,
  ),
  onPlain(
    all,
    'a document is added, then merged',
    `${head('ExtensionServiceConfig')}name: nut\nconfigFiles:\n  - content: a\n    mountPath: /a\nenvironment: [A=1]\n`,
    `${head('ExtensionServiceConfig')}name: nut\nconfigFiles:\n  - content: b\n    mountPath: /a\n  - content: c\n    mountPath: /c\nenvironment: [B=2]\n`,
  ),
  onPlain(all, 'a null document is passed over', 'machine:\n  env:\n    A: b\n---\n---\nnull\n'),
  onVolumes(
    all,
    'the ports of a firewall rule are replaced',
    `${head('NetworkRuleConfig')}name: apid\nportSelector:\n  ports: [50000-50001]\n  protocol: tcp\ningress:\n  - subnet: 192.168.0.0/16\n`,
  ),
  onVolumes(
    all,
    'a firewall rule without its sources keeps them',
    `${head('NetworkRuleConfig')}name: apid\nportSelector:\n  ports: [50001]\n`,
  ),
  onVolumes(
    all,
    'accepting does not replace blocking, since it is the zero',
    `${head('NetworkDefaultActionConfig')}ingress: accept\n`,
  ),
  onVolumes(
    { from: 10 },
    'a volume gets a filesystem',
    `${head('UserVolumeConfig')}name: data\nprovisioning:\n  diskSelector:\n    match: disk.serial == "d1"\n  minSize: 1GiB\nfilesystem:\n  type: ext4\n`,
  ),
  onVolumes(
    { from: 10 },
    'a volume keeps what the patch does not name',
    `${head('UserVolumeConfig')}name: data\nprovisioning:\n  grow: false\n`,
  ),
  onVolumes(
    { from: 10 },
    'a volume with another selector',
    `${head('UserVolumeConfig')}name: data\nprovisioning:\n  diskSelector:\n    match: disk.serial == "d2"\n`,
  ),
  onVolumes(
    { from: 10 },
    'another volume',
    `${head('UserVolumeConfig')}name: more\nprovisioning:\n  diskSelector:\n    match: '!system_disk'\n  minSize: 10GB\n  maxSize: 50GB\n`,
  ),
  onPlain(all, 'a volume of the system', `${head('VolumeConfig')}name: EPHEMERAL\nprovisioning:\n  maxSize: 80GiB\n`),
  onPlain(documents, 'another hostname', `${head('HostnameConfig')}hostname: other\n`),
  onPlain(
    documents,
    'a hostname left to Talos',
    `${head('HostnameConfig')}$patch: delete\n---\n`,
    `${head('HostnameConfig')}auto: stable\n`,
  ),
  onBusy(
    documents,
    'a nameserver is added to the document',
    `${head('ResolverConfig')}nameservers:\n  - address: 1.1.1.1\n`,
  ),
  onBusy(
    documents,
    'search domains',
    `${head('ResolverConfig')}searchDomains:\n  domains: [lan]\n`,
    `${head('ResolverConfig')}searchDomains:\n  domains: [other]\n`,
  ),
  onLinked(documents, 'the MTU of a link', `${head('LinkConfig')}name: net0\nmtu: 9000\n`),
  onLinked(
    documents,
    'addresses of a link grow',
    `${head('LinkConfig')}name: net0\naddresses:\n  - address: 10.0.10.99/24\n`,
  ),
  onLinked(documents, 'a link that nobody has is added', `${head('LinkConfig')}name: eth7\nup: false\n`),
  onLinked(documents, 'a static host', `${head('StaticHostConfig')}name: 10.0.0.9\nhostnames: [nas.lan]\n`),
  onBusy(
    documents,
    'an endpoint of a mirror is added',
    `${head('RegistryMirrorConfig')}name: docker.io\nendpoints:\n  - url: https://n.lan\n    overridePath: true\n`,
  ),
  onPlain(split, 'a label of the node document', `${head('KubeNodeConfig')}labels:\n  rack: "7"\n`),
  onPlain(
    split,
    'arguments of the API server document',
    `${head('KubeAPIServerConfig')}extraArgs:\n  v: "4"\n  list: [a, b]\n`,
  ),
  onPlain(split, 'networks of the document are replaced', `${head('KubeNetworkConfig')}podSubnets: [10.42.0.0/16]\n`),
  onPlain(
    split,
    'another port of the CNI',
    `${head('KubeFlannelCNIConfig')}backendPort: 8472\nextraArgs: [--iface=net0]\n`,
  ),
  onPlain(split, 'KubePrism on another port, as a document', `${head('KubePrismConfig')}port: 7446\n`),
]

/** What is removed. */
const deletions: readonly PatchCase[] = [
  onBusy(classic, 'a key of a map is deleted', 'machine:\n  sysctls:\n    vm.max_map_count:\n      $patch: delete\n'),
  onBusy(classic, 'a whole map is deleted', 'machine:\n  sysctls:\n    $patch: delete\n'),
  onBusy(
    classic,
    'one is deleted, another is set',
    'machine:\n  sysctls:\n    vm.max_map_count:\n      $patch: delete\n    a.b: "1"\n',
  ),
  onPlain(
    classic,
    'the last key of a map is deleted',
    'machine:\n  nodeLabels:\n    node.kubernetes.io/exclude-from-external-load-balancers:\n      $patch: delete\n',
  ),
  onPlain(classic, 'a structure is deleted', 'cluster:\n  apiServer:\n    auditPolicy:\n      $patch: delete\n'),
  onPlain(
    classic,
    'a field that is not set is deleted',
    'machine:\n  kubelet:\n    clusterDNS:\n      $patch: delete\n',
  ),
  onPlain(classic, 'a field under nothing is deleted', 'machine:\n  udev:\n    rules:\n      $patch: delete\n'),
  onPlain(
    classic,
    'a field under an empty structure that is always there',
    'machine:\n  registries:\n    mirrors:\n      $patch: delete\n',
  ),
  onPlain(
    classic,
    'a key that is not in the map is deleted',
    'machine:\n  nodeLabels:\n    nobody:\n      $patch: delete\n',
  ),
  onPlain(classic, 'an unknown field is deleted', 'machine:\n  nothing:\n    $patch: delete\n'),
  onPlain(
    classic,
    'an element of a list is deleted',
    'cluster:\n  apiServer:\n    admissionControl:\n      - name: PodSecurity\n        $patch: delete\n',
  ),
  onPlain(
    classic,
    'an element that is not there is deleted',
    'cluster:\n  apiServer:\n    admissionControl:\n      - name: Other\n        $patch: delete\n',
  ),
  onBusy(
    classic,
    'a kernel module is deleted',
    'machine:\n  kernel:\n    modules:\n      - name: zfs\n        $patch: delete\n',
  ),
  onPlain(
    classic,
    'a key inside an element cannot be deleted',
    'cluster:\n  apiServer:\n    admissionControl:\n      - name: PodSecurity\n        configuration:\n          $patch: delete\n',
  ),
  onPlain(
    classic,
    'an element is deleted without saying which',
    'cluster:\n  apiServer:\n    admissionControl:\n      - $patch: delete\n',
  ),
  onPlain(
    classic,
    'a free-form value is deleted',
    'machine:\n  kubelet:\n    extraConfig:\n      a: 1\n      b: 2\n',
    'machine:\n  kubelet:\n    extraConfig:\n      a:\n        $patch: delete\n',
  ),
  onLinked(old, 'all interfaces are deleted', 'machine:\n  network:\n    interfaces:\n      $patch: delete\n'),
  onLinked(
    old,
    'a VLAN cannot be found by a number',
    'machine:\n  network:\n    interfaces:\n      - interface: eth0\n        vlans:\n          - vlanId: 5\n            $patch: delete\n',
  ),
  onPlain(all, 'the classic document cannot be deleted', '$patch: delete\n'),
  onVolumes(all, 'a document is deleted', `${head('NetworkDefaultActionConfig')}$patch: delete\n`),
  onVolumes(all, 'a named document is deleted', `${head('NetworkRuleConfig')}name: apid\n$patch: delete\n`),
  onVolumes(
    all,
    'a document that is not there is deleted',
    `${head('NetworkRuleConfig')}name: other\n$patch: delete\n`,
  ),
  onVolumes(
    all,
    'a document is deleted and another added',
    `${head('NetworkDefaultActionConfig')}$patch: delete\n---\n${head('WatchdogTimerConfig')}device: /dev/watchdog0\n`,
  ),
  onPlain(documents, 'the hostname document is deleted', `${head('HostnameConfig')}$patch: delete\n`),
  onPlain(split, 'the CNI document is deleted', `${head('KubeFlannelCNIConfig')}$patch: delete\n`),
  onPlain(
    split,
    'a taint of the node document is deleted',
    `${head('KubeNodeConfig')}taints:\n  node-role.kubernetes.io/control-plane:\n    $patch: delete\n`,
  ),
  onBusy(
    split,
    'a sysctl of the document is deleted',
    `${head('SysctlConfig')}params:\n  vm.max_map_count:\n    $patch: delete\n`,
  ),
]

/** RFC 6902, which only a config of one document takes. */
const jsonOperations: readonly PatchCase[] = [
  onPlain(all, 'a JSON operation on a config', '[{"op": "add", "path": "/machine/sysctls", "value": {"a.b": "1"}}]'),
  onPlain(
    all,
    'JSON operations in YAML',
    '- op: replace\n  path: /machine/token\n  value: aaaaaa.bbbbbbbbbbbbbbbb\n- op: add\n  path: /machine/certSANs/-\n  value: api.lan\n',
  ),
  onBusy(
    old,
    'JSON operations on lists',
    '- op: add\n  path: /machine/certSANs/0\n  value: first.lan\n- op: remove\n  path: /machine/certSANs/1\n',
  ),
  onPlain(old, 'a JSON operation removes', '- op: remove\n  path: /cluster/apiServer/auditPolicy\n'),
  onPlain(old, 'a JSON operation removes what is not there', '- op: remove\n  path: /machine/nothing\n'),
  onPlain(old, 'a JSON operation replaces what is not there', '- op: replace\n  path: /machine/env\n  value: {}\n'),
  onPlain(old, 'a JSON operation adds under nothing', '- op: add\n  path: /machine/udev/rules\n  value: [a]\n'),
  onPlain(old, 'a JSON operation with an unknown field', '- op: add\n  path: /machine/nothing\n  value: 1\n'),
  onPlain(
    old,
    'JSON operations copy, move and test',
    '- op: test\n  path: /machine/type\n  value: controlplane\n- op: copy\n  from: /cluster/clusterName\n  path: /machine/network/hostname\n- op: move\n  from: /cluster/apiServer/auditPolicy\n  path: /cluster/apiServer/auditPolicy\n',
  ),
  onPlain(old, 'a JSON test that fails', '- op: test\n  path: /machine/type\n  value: worker\n'),
  onPlain(
    old,
    'a path with a slash in a key',
    '- op: remove\n  path: /machine/nodeLabels/node.kubernetes.io~1exclude-from-external-load-balancers\n',
  ),
  onPlain(
    old,
    'a JSON patch and then a merge',
    '- op: add\n  path: /machine/env\n  value: {A: b}\n',
    'machine:\n  env:\n    C: d\n',
  ),
]

/** What cannot be. */
const refusals: readonly PatchCase[] = [
  onPlain(all, 'an unknown field', 'machine:\n  sysctl:\n    a.b: "1"\n'),
  onPlain(all, 'an unknown field at the root', 'machines: {}\n'),
  onPlain(
    classic,
    'an unknown field in a list',
    'cluster:\n  apiServer:\n    admissionControl:\n      - name: X\n        config: {}\n',
  ),
  onPlain(
    classic,
    'an unknown field under an interface',
    'machine:\n  network:\n    interfaces:\n      - interface: eth0\n        address: 10.0.0.1/24\n',
  ),
  onPlain(all, 'an unknown kind', `${head('NobodyConfig')}a: 1\n`),
  onPlain(all, 'a kind without a version', 'kind: WatchdogTimerConfig\ndevice: /dev/watchdog0\n'),
  onPlain(all, 'a document without a kind', 'apiVersion: v1alpha1\nname: x\n'),
  onPlain(
    all,
    'the same document twice',
    `${head('EventSinkConfig')}endpoint: 10.0.0.1:1\n---\n${head('EventSinkConfig')}endpoint: 10.0.0.1:2\n`,
  ),
  onPlain(all, 'a list where a map is wanted', 'machine:\n  env: [a]\n'),
  onPlain(all, 'a text where a map is wanted', 'machine: nothing\n'),
  onPlain(all, 'a map where a list is wanted', 'machine:\n  certSANs:\n    a: b\n'),
  onPlain(all, 'a text where a boolean is wanted', 'debug: maybe\n'),
  onPlain(all, 'not YAML', 'machine: [\n'),
  onPlain({ until: 9 }, 'a kind that is younger than this Talos', `${head('UserVolumeConfig')}name: x\n`),
  onPlain(
    { until: 11 },
    'a network document that is younger than this Talos',
    `${head('HostnameConfig')}auto: stable\n`,
  ),
  onPlain({ until: 13 }, 'a split document that is younger than this Talos', `${head('KubeletConfig')}image: x\n`),
]

const encrypted = aMachine({ diskEncryption: { state: true, ephemeral: true, key: 'node-id' } })
const luks = '{provider: luks2, keys: [{slot: 0, nodeID: {}}]}'

/** The classic document says what another document says already: the library patches it, and then does not validate it. */
const saidTwice: readonly PatchCase[] = [
  onPlain(documents, 'said twice: hostname', 'machine: {network: {hostname: other}}\n'),
  onPlain(documents, 'said twice: stable hostname', 'machine: {features: {stableHostname: true}}\n'),
  onBusy(documents, 'said twice: nameservers', 'machine: {network: {nameservers: [1.1.1.1]}}\n'),
  onBusy(documents, 'said twice: time servers', 'machine: {time: {servers: [ntp.lan]}}\n'),
  on(encrypted)({ from: 11 }, 'said twice: encryption of STATE', `machine: {systemDiskEncryption: {state: ${luks}}}\n`),
  on(encrypted)(
    { from: 11 },
    'said twice: encryption of EPHEMERAL',
    `machine: {systemDiskEncryption: {ephemeral: ${luks}}}\n`,
  ),
  onPlain(
    { from: 13 },
    'said twice: KubeSpan',
    `machine: {network: {kubespan: {enabled: true}}}\n---\n${head('KubeSpanConfig')}enabled: true\n`,
  ),
  ...Object.entries({
    install: 'machine: {install: {disk: /dev/vda}}',
    kubelet: 'machine: {kubelet: {extraArgs: {v: "4"}}}',
    labels: 'machine: {nodeLabels: {a: b}}',
    annotations: 'machine: {nodeAnnotations: {a: b}}',
    taints: 'machine: {nodeTaints: {a: NoSchedule}}',
    'scheduling on control planes': 'cluster: {allowSchedulingOnControlPlanes: true}',
    'cluster name': 'cluster: {clusterName: other}',
    endpoint: 'cluster: {controlPlane: {endpoint: "https://other:6443"}}',
    network: 'cluster: {network: {podSubnets: [10.42.0.0/16]}}',
    CNI: 'cluster: {network: {cni: {name: none}}}',
    'API server': 'cluster: {apiServer: {image: x}}',
    'controller manager': 'cluster: {controllerManager: {image: x}}',
    scheduler: 'cluster: {scheduler: {image: x}}',
    proxy: 'cluster: {proxy: {disabled: true}}',
    CoreDNS: 'cluster: {coreDNS: {disabled: true}}',
    'encryption secret': 'cluster: {secretboxEncryptionSecret: YWJj}',
    discovery: 'cluster: {discovery: {enabled: true}}',
    'cluster id': 'cluster: {id: YWJj, secret: YWJj}',
    'host DNS': 'machine: {features: {hostDNS: {enabled: true}}}',
    KubePrism: 'machine: {features: {kubePrism: {enabled: true, port: 7445}}}',
    'accepted CAs': 'cluster: {acceptedCAs: [{crt: LS0tLS1CRUdJTg==}]}',
    'aggregator CA': 'cluster: {aggregatorCA: {crt: LS0tLS1CRUdJTg==, key: LS0tLS1CRUdJTg==}}',
    'service account': 'cluster: {serviceAccount: {key: LS0tLS1CRUdJTg==}}',
  }).map(([what, patch]) => onPlain(split, `said twice: ${what}`, patch)),
]

/** What the machine of a drill gets beside its config. */
const drills: readonly PatchCase[] = [
  onBusy(old, 'a drill', ...isolatingPatches({ minor: 11 }).map((patch) => stringify(patch))),
  onBusy({ from: 12, contract: 13 }, 'a drill', ...isolatingPatches({ minor: 12 }).map((patch) => stringify(patch))),
  onBusy(split, 'a drill', ...isolatingPatches({ minor: 14 }).map((patch) => stringify(patch))),
  onPlain(
    { from: 13 },
    'probes of a drill',
    ...probeDocuments(['10.0.10.10:50000', '[fd00::10]:6443', 'api.lan:6443']).map((probe) => stringify(probe)),
  ),
]

export const patchCases: readonly PatchCase[] = [
  ...scalarsAndMaps,
  ...lists,
  ...freeForm,
  ...manyDocuments,
  ...deletions,
  ...jsonOperations,
  ...refusals,
  ...saidTwice,
  ...drills,
]
