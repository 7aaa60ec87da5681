/** What somebody with Talos's own tools would write: patches for the library's generated config, by minor. Shares nothing with our renderer. */
export interface ClusterSpec {
  readonly from: number
  readonly until: number
  readonly patch: string
}

const always = (patch: string): ClusterSpec => ({ from: 8, until: 14, patch })
const until = (minor: number, patch: string): ClusterSpec => ({ from: 8, until: minor, patch })
const from = (minor: number, patch: string): ClusterSpec => ({ from: minor, until: 14, patch })
const between = (first: number, last: number, patch: string): ClusterSpec => ({ from: first, until: last, patch })

const head = (kind: string) => `apiVersion: v1alpha1\nkind: ${kind}\n`
const rule = (name: string, protocol: string, ports: string, sources: string) =>
  `${head('NetworkRuleConfig')}name: ${name}\nportSelector: {ports: [${ports}], protocol: ${protocol}}\ningress: [${sources
    .split(' ')
    .map((subnet) => `{subnet: ${subnet}}`)
    .join(', ')}]\n`
const onEveryNode = [
  rule('kubelet', 'tcp', '10250', '10.0.10.0/24 10.244.0.0/16'),
  rule('talos-api', 'tcp', '50000', "10.0.10.0/24 192.168.7.0/24 'fd00:7::/64'"),
  rule('node-ports-tcp-30000', 'tcp', '30000-30079', '10.0.10.0/24 10.1.0.0/16 10.244.0.0/16'),
  rule('node-ports-tcp-30080', 'tcp', '30080', '0.0.0.0/0 10.0.10.0/24 10.1.0.0/16 10.244.0.0/16'),
  rule('node-ports-tcp-30081', 'tcp', '30081-32767', '10.0.10.0/24 10.1.0.0/16 10.244.0.0/16'),
  rule('flannel-vxlan-udp-4789', 'udp', '4789', '10.0.10.0/24'),
  rule('flannel-vxlan-udp-8472', 'udp', '8472', '10.0.10.0/24'),
  rule('node-ports-udp-30000', 'udp', '30000-32767', '10.0.10.0/24 10.1.0.0/16 10.244.0.0/16'),
  rule('kubespan', 'udp', '51820', '10.0.10.0/24'),
]
const alias = (name: string, mac: string) =>
  `${head('LinkAliasConfig')}name: ${name}\nselector: {match: 'mac(link.permanent_addr) == "${mac}"'}\n`
const link = (name: string, fields: string) => `---\n${head('LinkConfig')}name: ${name}\nup: true\n${fields}\n`
const interfaces = (list: string) => `machine: {network: {interfaces: ${list}}}`

const a = 'bc:24:11:00:00:0a'
const b = 'bc:24:11:00:00:0b'
const c = 'bc:24:11:00:00:0c'
const addressed = 'addresses: [{address: 10.0.10.11/24}]\nroutes: [{gateway: 10.0.10.1}]'
const classicAddressed = 'addresses: [10.0.10.11/24], routes: [{network: 0.0.0.0/0, gateway: 10.0.10.1}], dhcp: false'
const luks = (key: string) => `{provider: luks2, keys: [{slot: 0, ${key}: {}}]}`
const volume = (name: string, encryption: string) => `${head('VolumeConfig')}name: ${name}\nencryption: ${encryption}\n`

/** A name of its own, in every style. */
export function hostnameSpec(hostname: string): ClusterSpec[] {
  return [
    until(11, `machine: {network: {hostname: ${hostname}}}`),
    from(12, `${head('HostnameConfig')}auto: off\nhostname: ${hostname}\n`),
  ]
}

export const specs: Readonly<Record<string, readonly ClusterSpec[]>> = {
  'a static address and a gateway': [
    until(11, interfaces(`[{deviceSelector: {hardwareAddr: '${a}'}, ${classicAddressed}}]`)),
    from(12, alias('net0', a) + link('net0', addressed)),
  ],
  'a worker with a static address': [
    until(
      11,
      interfaces(
        `[{deviceSelector: {hardwareAddr: '${a}'}, addresses: [10.0.10.21/24], routes: [{network: 0.0.0.0/0, gateway: 10.0.10.1}], dhcp: false}]`,
      ),
    ),
    from(12, alias('net0', a) + link('net0', 'addresses: [{address: 10.0.10.21/24}]\nroutes: [{gateway: 10.0.10.1}]')),
  ],
  'a shared address': [
    until(11, interfaces(`[{deviceSelector: {hardwareAddr: '${a}'}, ${classicAddressed}, vip: {ip: 10.0.10.10}}]`)),
    from(
      12,
      `${alias('net0', a)}${link('net0', addressed)}---\n${head('Layer2VIPConfig')}name: 10.0.10.10\nlink: net0\n`,
    ),
  ],
  'DHCP with a name of our own': [
    until(11, interfaces(`[{deviceSelector: {hardwareAddr: '${a}'}, dhcp: true}]`)),
    from(12, `${alias('net0', a)}${link('net0', '')}---\n${head('DHCPv4Config')}name: net0\nignoreHostname: true\n`),
  ],
  'a control plane by DHCP that names it': [
    until(11, interfaces(`[{deviceSelector: {hardwareAddr: '${a}'}, dhcp: true}]`)),
    from(12, `${alias('net0', a)}${link('net0', '')}---\n${head('DHCPv4Config')}name: net0\n`),
  ],
  'a link by its bus path': [
    until(11, interfaces(`[{deviceSelector: {busPath: '0000:06:12.0'}, ${classicAddressed}}]`)),
    from(
      12,
      `${head('LinkAliasConfig')}name: net0\nselector: {match: 'link.bus_path == "0000:06:12.0"'}\n${link('net0', addressed)}`,
    ),
  ],
  'two links': [
    until(
      11,
      interfaces(
        `[{deviceSelector: {hardwareAddr: '${a}'}, ${classicAddressed}}, {deviceSelector: {hardwareAddr: '${b}'}, addresses: [192.168.7.11/24], mtu: 9000, dhcp: false}]`,
      ),
    ),
    from(
      12,
      `${alias('net0', a)}${link('net0', addressed)}---\n${alias('net1', b)}${link('net1', 'mtu: 9000\naddresses: [{address: 192.168.7.11/24}]')}`,
    ),
  ],
  'three links, one of them idle': [
    until(
      11,
      interfaces(
        `[{deviceSelector: {hardwareAddr: '${a}'}, ${classicAddressed}}, {deviceSelector: {hardwareAddr: '${b}'}, dhcp: false}, {deviceSelector: {hardwareAddr: '${c}'}, dhcp: true}]`,
      ),
    ),
    from(
      12,
      `${alias('net0', a)}${link('net0', addressed)}---\n${alias('net1', b)}${link('net1', '')}---\n${alias('net2', c)}${link('net2', '')}---\n${head('DHCPv4Config')}name: net2\nignoreHostname: true\n`,
    ),
  ],
  'dual stack': [
    until(
      11,
      interfaces(
        `[{deviceSelector: {hardwareAddr: '${a}'}, addresses: [10.0.10.11/24, 'fd00:10::11/64'], routes: [{network: 0.0.0.0/0, gateway: 10.0.10.1}, {network: '::/0', gateway: 'fd00:10::1', metric: 2048}], dhcp: false}]`,
      ),
    ),
    from(
      12,
      alias('net0', a) +
        link(
          'net0',
          "addresses: [{address: 10.0.10.11/24}, {address: 'fd00:10::11/64'}]\nroutes: [{gateway: 10.0.10.1}, {gateway: 'fd00:10::1', metric: 2048}]",
        ),
    ),
  ],
  'IPv6 alone': [
    until(
      11,
      interfaces(
        `[{deviceSelector: {hardwareAddr: '${a}'}, addresses: ['fd00:10::11/64'], routes: [{network: '::/0', gateway: 'fd00:10::1'}], dhcp: false, vip: {ip: 'fd00:10::10'}}]`,
      ),
    ),
    from(
      12,
      `${alias('net0', a)}${link('net0', "addresses: [{address: 'fd00:10::11/64'}]\nroutes: [{gateway: 'fd00:10::1'}]")}---\n${head('Layer2VIPConfig')}name: 'fd00:10::10'\nlink: net0\n`,
    ),
  ],
  'a route to one network': [
    until(
      11,
      interfaces(
        `[{deviceSelector: {hardwareAddr: '${a}'}, addresses: [10.0.10.11/24], routes: [{network: 172.16.0.0/12, gateway: 10.0.10.2, metric: 50}], dhcp: false}]`,
      ),
    ),
    from(
      12,
      alias('net0', a) +
        link(
          'net0',
          'addresses: [{address: 10.0.10.11/24}]\nroutes: [{destination: 172.16.0.0/12, gateway: 10.0.10.2, metric: 50}]',
        ),
    ),
  ],
  'a VLAN with an address and a shared one': [
    until(
      11,
      interfaces(
        `[{deviceSelector: {hardwareAddr: '${a}'}, ${classicAddressed}, vlans: [{vlanId: 100, addresses: [10.1.0.11/24], routes: [{network: 0.0.0.0/0, gateway: 10.1.0.1}], dhcp: false, mtu: 1400, vip: {ip: 10.1.0.10}}]}]`,
      ),
    ),
    from(
      12,
      `${alias('net0', a)}${link('net0', addressed)}---\n${head('VLANConfig')}name: net0.100\nvlanID: 100\nparent: net0\nup: true\nmtu: 1400\naddresses: [{address: 10.1.0.11/24}]\nroutes: [{gateway: 10.1.0.1}]\n---\n${head('Layer2VIPConfig')}name: 10.1.0.10\nlink: net0.100\n`,
    ),
  ],
  'VLANs by DHCP': [
    until(
      11,
      interfaces(
        `[{deviceSelector: {hardwareAddr: '${a}'}, ${classicAddressed}, vlans: [{vlanId: 7, routes: [], dhcp: true}, {vlanId: 8, routes: [], dhcp: true, mtu: 1500}]}]`,
      ),
    ),
    from(
      12,
      `${alias('net0', a)}${link('net0', addressed)}---\n${head('VLANConfig')}name: net0.7\nvlanID: 7\nparent: net0\nup: true\n---\n${head('DHCPv4Config')}name: net0.7\nignoreHostname: true\n---\n${head('VLANConfig')}name: net0.8\nvlanID: 8\nparent: net0\nup: true\nmtu: 1500\n---\n${head('DHCPv4Config')}name: net0.8\nignoreHostname: true\n`,
    ),
  ],
  'a bond with LACP': [
    until(
      8,
      interfaces(
        `[{interface: bond0, bond: {deviceSelectors: [{hardwareAddr: '${a}'}, {hardwareAddr: '${b}'}], mode: 802.3ad, xmitHashPolicy: layer3+4, lacpRate: fast, miimon: 100, updelay: 200, downdelay: 200}, ${classicAddressed}}]`,
      ),
    ),
    between(
      9,
      11,
      interfaces(
        `[{interface: bond0, bond: {deviceSelectors: [{permanentAddr: '${a}'}, {permanentAddr: '${b}'}], mode: 802.3ad, xmitHashPolicy: layer3+4, lacpRate: fast, miimon: 100, updelay: 200, downdelay: 200}, ${classicAddressed}}]`,
      ),
    ),
    from(
      12,
      `${alias('bond0p0', a)}---\n${alias('bond0p1', b)}---\n${head('BondConfig')}name: bond0\nlinks: [bond0p0, bond0p1]\nbondMode: 802.3ad\nxmitHashPolicy: layer3+4\nlacpRate: fast\nmiimon: 100\nupdelay: 200\ndowndelay: 200\nup: true\n${addressed}\n`,
    ),
  ],
  'a bond in active-backup with a VLAN': [
    until(
      8,
      interfaces(
        `[{interface: bond0, bond: {deviceSelectors: [{hardwareAddr: '${a}'}, {hardwareAddr: '${b}'}, {hardwareAddr: '${c}'}], mode: active-backup, resendIgmp: 2, miimon: 100}, ${classicAddressed}, vlans: [{vlanId: 20, addresses: [10.2.0.11/24], routes: [], dhcp: false}]}]`,
      ),
    ),
    between(
      9,
      11,
      interfaces(
        `[{interface: bond0, bond: {deviceSelectors: [{permanentAddr: '${a}'}, {permanentAddr: '${b}'}, {permanentAddr: '${c}'}], mode: active-backup, resendIgmp: 2, miimon: 100}, ${classicAddressed}, vlans: [{vlanId: 20, addresses: [10.2.0.11/24], routes: [], dhcp: false}]}]`,
      ),
    ),
    from(
      12,
      `${alias('bond0p0', a)}---\n${alias('bond0p1', b)}---\n${alias('bond0p2', c)}---\n${head('BondConfig')}name: bond0\nlinks: [bond0p0, bond0p1, bond0p2]\nbondMode: active-backup\nresendIGMP: 2\nmiimon: 100\nup: true\n${addressed}\n---\n${head('VLANConfig')}name: bond0.20\nvlanID: 20\nparent: bond0\nup: true\naddresses: [{address: 10.2.0.11/24}]\n`,
    ),
  ],
  'a large MTU': [
    until(11, interfaces(`[{deviceSelector: {hardwareAddr: '${a}'}, ${classicAddressed}, mtu: 9000}]`)),
    from(12, alias('net0', a) + link('net0', `mtu: 9000\n${addressed}`)),
  ],
  nameservers: [
    until(11, "machine: {network: {nameservers: [10.0.10.1, '2606:4700:4700::1111']}}"),
    from(12, `${head('ResolverConfig')}nameservers: [{address: 10.0.10.1}, {address: '2606:4700:4700::1111'}]\n`),
  ],
  'time servers': [
    until(11, 'machine: {time: {servers: [ntp.lan, 10.0.10.1]}}'),
    from(12, `${head('TimeSyncConfig')}ntp: {servers: [ntp.lan, 10.0.10.1]}\n`),
  ],
  'names for the Kubernetes API alone': [
    until(13, 'cluster: {apiServer: {certSANs: [k8s.lan]}}'),
    from(14, `${head('KubeAPIServerConfig')}certExtraSANs: [k8s.lan]\n`),
  ],
  'labels, annotations and taints of a worker': [
    until(
      13,
      "machine: {nodeLabels: {topology.kubernetes.io/zone: pve1, example.com/rack: '7'}, nodeAnnotations: {example.com/owner: ops team}, kubelet: {extraConfig: {registerWithTaints: [{key: dedicated, value: gpu, effect: NoSchedule}, {key: slow, effect: PreferNoSchedule}]}}}",
    ),
    from(
      14,
      `${head('KubeNodeConfig')}labels: {topology.kubernetes.io/zone: pve1, example.com/rack: '7'}\nannotations: {example.com/owner: ops team}\ntaints: {dedicated: 'gpu:NoSchedule', slow: PreferNoSchedule}\n`,
    ),
  ],
  'labels and a taint of a control plane': [
    until(
      13,
      "machine: {nodeLabels: {topology.kubernetes.io/region: home, node-role.kubernetes.io/infra: ''}, nodeTaints: {infra: NoExecute}}",
    ),
    from(
      14,
      `${head('KubeNodeConfig')}labels: {topology.kubernetes.io/region: home, node-role.kubernetes.io/infra: ''}\ntaints: {infra: NoExecute}\n`,
    ),
  ],
  'a kubelet with arguments and a subnet': [
    until(
      13,
      "machine: {kubelet: {extraArgs: {max-pods: '200', rotate-server-certificates: 'true'}, nodeIP: {validSubnets: [10.0.10.0/24]}}}",
    ),
    from(
      14,
      `${head('KubeletConfig')}extraArgs: {max-pods: '200', rotate-server-certificates: 'true'}\n---\n${head('KubeNodeConfig')}nodeIP: {validSubnets: [10.0.10.0/24]}\n`,
    ),
  ],
  'extra mounts': [
    until(
      13,
      'machine: {kubelet: {extraMounts: [{source: /var/lib/longhorn, destination: /var/lib/longhorn, type: bind, options: [bind, rshared, rw]}]}}',
    ),
  ],
  'feature gates': [
    until(
      13,
      "machine: {kubelet: {extraArgs: &gates {feature-gates: 'GracefulNodeShutdown=false,InPlacePodVerticalScaling=true'}}}\ncluster: {apiServer: {extraArgs: *gates}, controllerManager: {extraArgs: *gates}, scheduler: {extraArgs: *gates}}",
    ),
    ...['KubeletConfig', 'KubeAPIServerConfig', 'KubeControllerManagerConfig', 'KubeSchedulerConfig'].map((kind) =>
      from(
        14,
        `${head(kind)}extraArgs: {feature-gates: 'GracefulNodeShutdown=false,InPlacePodVerticalScaling=true'}\n`,
      ),
    ),
  ],
  'no CNI and no kube-proxy': [
    until(13, 'cluster: {network: {cni: {name: none}}, proxy: {disabled: true}}'),
    from(14, `${head('KubeFlannelCNIConfig')}$patch: delete\n---\n${head('KubeProxyConfig')}enabled: false\n`),
  ],
  'CoreDNS that does not ask the node': [
    until(13, 'machine: {features: {hostDNS: {forwardKubeDNSToHost: false}}}'),
    from(14, `${head('ResolverConfig')}hostDNS: {forwardKubeDNSToHost: false}\n`),
  ],
  'an external cloud provider': [always('cluster: {externalCloudProvider: {enabled: true}}')],
  'an external cloud provider on a worker': [always('cluster: {externalCloudProvider: {enabled: true}}')],
  'manifests of our own': [
    until(
      13,
      'cluster: {inlineManifests: [{name: ns, contents: "apiVersion: v1\\nkind: Namespace\\nmetadata:\\n  name: ci\\n"}]}',
    ),
    from(
      14,
      `${head('KubeInlineManifestConfig')}name: ns\nmanifest: "apiVersion: v1\\nkind: Namespace\\nmetadata:\\n  name: ci\\n"\n`,
    ),
  ],
  'user volumes by serial number': [
    until(
      9,
      'machine: {disks: [{device: /dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_data-1, partitions: [{mountpoint: /var/mnt/longhorn}]}, {device: /dev/sdc, partitions: [{mountpoint: /var/mnt/scratch}]}], kubelet: {extraMounts: [{destination: /var/mnt/longhorn, type: bind, source: /var/mnt/longhorn, options: [bind, rshared, rw]}, {destination: /var/mnt/scratch, type: bind, source: /var/mnt/scratch, options: [bind, rshared, rw]}]}}',
    ),
    from(
      10,
      `${head('UserVolumeConfig')}name: longhorn\nprovisioning: {diskSelector: {match: 'disk.serial == "data-1"'}, grow: true, minSize: 10GiB}\n---\n${head('UserVolumeConfig')}name: scratch\nprovisioning: {diskSelector: {match: 'disk.dev_path == "/dev/sdc"'}, grow: true, minSize: 500MiB}\n`,
    ),
  ],
  'a user volume by an expression': [
    from(
      10,
      `${head('UserVolumeConfig')}name: data\nprovisioning: {diskSelector: {match: '!system_disk && disk.size > 100u * GiB'}, grow: true, minSize: '100000000123'}\n`,
    ),
  ],
  'encrypted disks with the node as key': [
    until(10, `machine: {systemDiskEncryption: {state: ${luks('nodeID')}, ephemeral: ${luks('nodeID')}}}`),
    from(11, `${volume('STATE', luks('nodeID'))}---\n${volume('EPHEMERAL', luks('nodeID'))}`),
  ],
  'an encrypted disk with the TPM': [
    until(10, `machine: {systemDiskEncryption: {state: ${luks('tpm')}}}`),
    from(11, volume('STATE', luks('tpm'))),
  ],
  'an encrypted data disk alone': [
    until(10, `machine: {systemDiskEncryption: {ephemeral: ${luks('tpm')}}}`),
    from(11, volume('EPHEMERAL', luks('tpm'))),
  ],
  'etcd on one network of several': [always('cluster: {etcd: {advertisedSubnets: [10.0.10.0/24]}}')],
  'kernel modules': [
    until(13, 'machine: {kernel: {modules: [{name: nvme_tcp}, {name: zfs, parameters: [zfs_arc_max=1073741824]}]}}'),
    from(
      14,
      `${head('KernelModuleConfig')}name: nvme_tcp\n---\n${head('KernelModuleConfig')}name: zfs\nparameters: [zfs_arc_max=1073741824]\n`,
    ),
  ],
  'a private registry': [
    until(
      11,
      `machine: {registries: {config: {'registry.lan:5000': {auth: {username: ichor, password: 'p@ss: "word"'}}}}}`,
    ),
    from(12, `${head('RegistryAuthConfig')}name: registry.lan:5000\nusername: ichor\npassword: 'p@ss: "word"'\n`),
  ],
  'a mirror without fallback': [
    between(9, 11, "machine: {registries: {mirrors: {'*': {skipFallback: true}}}}"),
    from(12, `${head('RegistryMirrorConfig')}name: '*'\nskipFallback: true\n`),
  ],
  'an ingress firewall': [
    always(
      `${head('NetworkDefaultActionConfig')}ingress: block\n---\n${head('NetworkRuleConfig')}name: apid\nportSelector: {ports: [50000], protocol: tcp}\ningress: [{subnet: 10.0.10.0/24}]\n---\n${head('NetworkRuleConfig')}name: cni\nportSelector: {ports: [4789, 8472-8473], protocol: udp}\ningress: [{subnet: 10.0.0.0/8, except: 10.9.0.0/16}, {subnet: 'fd00::/8'}]\n`,
    ),
  ],
  'the firewall of an inventory on a control plane': [
    always(
      [
        `${head('NetworkDefaultActionConfig')}ingress: block\n`,
        rule('etcd', 'tcp', '2379-2380', '10.0.10.0/24'),
        rule('kubernetes-api', 'tcp', '6443', "10.0.10.0/24 10.244.0.0/16 192.168.7.0/24 'fd00:7::/64'"),
        rule('trustd', 'tcp', '50001', '10.0.10.0/24'),
        ...onEveryNode,
      ].join('---\n'),
    ),
  ],
  'the firewall of an inventory on a worker': [
    always([`${head('NetworkDefaultActionConfig')}ingress: accept\n`, ...onEveryNode].join('---\n')),
  ],
  'an audit policy and an identity provider': [
    until(
      13,
      "cluster: {apiServer: {extraArgs: {oidc-issuer-url: 'https://login.example.com', oidc-client-id: dev, oidc-username-claim: email, oidc-username-prefix: 'oidc:', oidc-groups-claim: groups, oidc-groups-prefix: 'oidc:'}, auditPolicy: {apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: None, verbs: [watch]}]}}}",
    ),
    from(
      14,
      `${head('KubeAuditPolicyConfig')}configuration: {apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: None, verbs: [watch]}]}\n`,
    ),
    from(
      14,
      `${head('KubeAuthenticationConfig')}configuration: {anonymous: {conditions: [{path: /livez}, {path: /readyz}, {path: /healthz}], enabled: true}, jwt: [{issuer: {url: 'https://login.example.com', audiences: [dev]}, claimMappings: {username: {claim: email, prefix: 'oidc:'}, groups: {claim: groups, prefix: 'oidc:'}}}]}\n`,
    ),
  ],
  'logs sent away': [
    always(`${head('KmsgLogConfig')}name: kernel-1\nurl: tcp://10.0.10.9:6050\n`),
    always(`${head('KmsgLogConfig')}name: kernel-2\nurl: udp://logs.lan:514\n`),
    always(
      'machine: {logging: {destinations: [{endpoint: "tcp://10.0.10.9:6050", format: json_lines}, {endpoint: "udp://logs.lan:514", format: json_lines}]}}',
    ),
  ],
  'a disk that is wiped, on arm64': [
    until(13, 'machine: {install: {wipe: true}}'),
    from(
      14,
      `${head('UnattendedInstallConfig')}provisioning: {diskSelector: {match: 'disk.dev_path == "/dev/nvme0n1"'}, wipe: true}\n`,
    ),
  ],
  'everything at once on a worker': [
    always(`${head('KmsgLogConfig')}name: kernel-1\nurl: udp://logs.lan:514\n`),
    always(
      "cluster: {externalCloudProvider: {enabled: true}}\nmachine: {logging: {destinations: [{endpoint: 'udp://logs.lan:514', format: json_lines}]}}",
    ),
    always(`${head('NetworkDefaultActionConfig')}ingress: accept\n`),
    until(
      11,
      `machine: {network: {nameservers: [10.0.10.1], interfaces: [{deviceSelector: {hardwareAddr: '${a}'}, ${classicAddressed}, vlans: [{vlanId: 30, addresses: [10.3.0.21/24], routes: [], dhcp: false}]}]}, time: {servers: [ntp.lan]}}`,
    ),
    until(
      13,
      "cluster: {network: {cni: {name: none}}}\nmachine: {nodeLabels: {example.com/a: b}, kernel: {modules: [{name: br_netfilter}]}, kubelet: {extraArgs: {feature-gates: NodeSwap=true, rotate-server-certificates: 'true'}, nodeIP: {validSubnets: [10.0.10.0/24]}}}",
    ),
    until(
      9,
      'machine: {disks: [{device: /dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_data-1, partitions: [{mountpoint: /var/mnt/data}]}], kubelet: {extraMounts: [{destination: /var/mnt/data, type: bind, source: /var/mnt/data, options: [bind, rshared, rw]}]}}',
    ),
    until(10, `machine: {systemDiskEncryption: {state: ${luks('nodeID')}, ephemeral: ${luks('nodeID')}}}`),
    from(
      10,
      `${head('UserVolumeConfig')}name: data\nprovisioning: {diskSelector: {match: 'disk.serial == "data-1"'}, grow: true, minSize: 1TiB}\n`,
    ),
    from(11, `${volume('STATE', luks('nodeID'))}---\n${volume('EPHEMERAL', luks('nodeID'))}`),
    from(
      12,
      `${alias('net0', a)}${link('net0', addressed)}---\n${head('VLANConfig')}name: net0.30\nvlanID: 30\nparent: net0\nup: true\naddresses: [{address: 10.3.0.21/24}]\n---\n${head('ResolverConfig')}nameservers: [{address: 10.0.10.1}]\n---\n${head('TimeSyncConfig')}ntp: {servers: [ntp.lan]}\n`,
    ),
    from(
      14,
      `${head('KubeNodeConfig')}labels: {example.com/a: b}\nnodeIP: {validSubnets: [10.0.10.0/24]}\n---\n${head('KubeletConfig')}extraArgs: {feature-gates: NodeSwap=true, rotate-server-certificates: 'true'}\n---\n${head('KernelModuleConfig')}name: br_netfilter\n`,
    ),
  ],
}
