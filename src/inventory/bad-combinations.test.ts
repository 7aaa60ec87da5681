import { expectProblems, net, type Row } from '../../tests/support/bad-inventories.js'

const combinations: Row[] = [
  [
    'a Talos older than we know',
    `cluster_name: a\n${net}\ntalos_version: ^v1.5.0`,
    'Talos v1.5 is not supported by this ichor, which supports v1.8 to v1.14. Write a version from v1.8.0 on.',
  ],
  [
    'a Kubernetes that this Talos does not take',
    `cluster_name: a\n${net}\ntalos_version: v1.13.9\nkubernetes_version: ^v1.29.1`,
    'Talos v1.13 takes Kubernetes v1.31 to v1.36, and not v1.29. Write a version between v1.31.0 and v1.36.99, or change talos_version.',
  ],
  [
    'a contract newer than Talos',
    `cluster_name: a\n${net}\ntalos_version: v1.12.0\ntalos:\n  contract: ^v1.13`,
    'Talos v1.12 does not read configs in the style of v1.13. Write a contract from v1.8 to v1.12.',
  ],
  [
    'cidata on metal media',
    `cluster_name: a\n${net}\ntalos:\n  platform: ^metal`,
    'Configs are delivered as cidata, and metal media do not read them. Set talos.platform: nocloud, or talos.delivery: apply.',
  ],
  [
    'cidata without a known endpoint',
    'cluster_name: a\nnetwork: { mode: dhcp }\ntalos:\n  delivery: ^cidata',
    'A cidata config must contain the endpoint, which is not known beforehand with DHCP and without a VIP or endpoint_override. Set talos.delivery: apply, network.vip, endpoint_override, or the ip that the lease of the first control plane has.',
  ],
  [
    'hostnames from DHCP without DHCP',
    `cluster_name: a\n${net}\ntalos:\n  hostnames: ^dhcp`,
    'Hostnames are left to DHCP, and addresses are static. Set network.mode: dhcp, or talos.hostnames: static.',
  ],
  [
    'an ISO that is not booted',
    `cluster_name: a\n${net}\ntalos:\n  iso: ^local:iso/talos.iso`,
    'talos.iso names an ISO, and talos.boot does not boot one. Set talos.boot: iso, or remove talos.iso.',
  ],
  [
    'extensions beside a ready schematic',
    `cluster_name: a\n${net}\ntalos:\n  schematic: ^${'a'.repeat(64)}\n  extensions: [iscsi-tools]`,
    'talos.schematic is the id of a ready schematic; extensions, kernel_args, meta and overlay cannot change it. Keep either the id or the other settings.',
  ],
  [
    'secure boot without UEFI',
    `cluster_name: a\n${net}\nvm: { bios: seabios }\ntalos:\n  secure_boot: ^true`,
    'Secure boot needs UEFI, and vm.bios is seabios. Set vm.bios: ovmf.',
  ],
  [
    'TPM keys without a TPM',
    `cluster_name: a\n${net}\ntalos:\n  disk_encryption: ^{ key: tpm }`,
    'Disk encryption with a TPM requires vm.tpm and secure boot. Set vm.tpm: true and talos.secure_boot: true, or key: node-id.',
  ],
  [
    'a PCI Express device on an old board',
    `cluster_name: a\n${net}\nvm:\n  machine: ^pc\nworkers:\n  - { name: w, devices: [gpu] }`,
    'w has a PCI Express device, and the board pc has no PCI Express. Set vm.machine: q35, or pcie: false for the device.',
  ],
  [
    'two words for one setting',
    `cluster_name: a\n${net}\nproxmox:\n  datastore: ^one\n  datastore_id: two`,
    'proxmox.datastore and proxmox.datastore_id are two names for the same setting. Keep one of the two.',
  ],
  [
    'two ways to the nodes',
    `cluster_name: a\n${net}\nproxmox:\n  socks: ^socks5://127.0.0.1:1080\n  ssh: { host: pve1 }`,
    'proxmox.ssh and proxmox.socks are both set; only one of them can be used. Keep one of the two.',
  ],
  [
    'images over http',
    `cluster_name: a\n${net}\ntalos:\n  factory_url: ^http://factory.lan`,
    'Images would be downloaded over unencrypted http: http://factory.lan. Use https, or add factory.lan to allow_http if you trust the network in between.',
  ],
  [
    'a chart over http',
    `cluster_name: a\n${net}\nallow_http: [factory.lan]\naddons:\n  custom:\n    - name: x\n      chart:\n        repository: ^http://charts.lan\n        name: x\n        version: 1.0.0`,
    'The chart would be downloaded over unencrypted http: http://charts.lan. Use https, or add charts.lan to allow_http if you trust the network in between.',
  ],
  [
    'a check over http',
    `cluster_name: a\n${net}\nroll:\n  check:\n    url: ^http://check.lan/ok`,
    'The check of a roll would be read over unencrypted http: http://check.lan/ok. Use https, or add check.lan to allow_http if you trust the network in between.',
  ],
  [
    'a manifest over http',
    `cluster_name: a\n${net}\naddons:\n  custom:\n    - name: x\n      manifests: [^http://a.lan/x.yaml]`,
    'The manifest would be downloaded over unencrypted http: http://a.lan/x.yaml. Use https, or add a.lan to allow_http if you trust the network in between.',
  ],
  [
    'an invalid endpoint',
    `cluster_name: a\n${net}\nendpoint_override: ^http://k8s`,
    'endpoint_override: "http://k8s" is not an endpoint. Write a name or address, with a port if it is not 6443, such as k8s.example.com or https://10.0.10.5:6443.',
  ],
  [
    'two networks for the pods',
    `cluster_name: a\n${net}\naddons:\n  cilium: true\n  flannel: ^true`,
    'Cilium and flannel are both enabled, but a cluster has one network. Keep one of the two.',
  ],
  [
    'NetworkPolicies that nobody enforces',
    `cluster_name: a\n${net}\naddons:\n  network_policies: ^true`,
    'Flannel ignores NetworkPolicies: they would protect nothing. Add addons.cilium, or remove addons.network_policies.',
  ],
  [
    'a load balancer without addresses',
    `cluster_name: a\n${net}\naddons:\n  metallb: ^true`,
    'MetalLB has no addresses to assign. Set network.load_balancer, such as 10.0.10.200-10.0.10.220.',
  ],
  [
    'a firewall that locks everybody out',
    `cluster_name: a\n${net}\nfirewall:\n  enabled: ^true`,
    'The firewall is enabled, but no network may reach the Talos and Kubernetes APIs. Set firewall.admin_networks with the network that you work from.',
  ],
  [
    'a firewall for nodes whose network is not known',
    'cluster_name: a\nnetwork: { mode: dhcp }\nfirewall:\n  enabled: ^true\n  admin_networks: 10.9.0.0/16',
    'The firewall is enabled, but the network from which the nodes reach each other is not known. Set network.cidr.',
  ],
  [
    'a firewall for hosts without that of Proxmox',
    `cluster_name: a\n${net}\nfirewall:\n  enabled: true\n  admin_networks: 10.1.0.0/16\n  proxmox: false\n  hosts: ^true`,
    'firewall.hosts enables the firewall of Proxmox, but firewall.proxmox is off. Remove firewall.proxmox: false, or firewall.hosts.',
  ],
  [
    'an addon with two sources',
    `cluster_name: a\n${net}\naddons:\n  custom:\n    - ^{ name: x, inline: a, manifests: [b] }`,
    'addons.custom[0] needs exactly one of chart, manifests, inline and kustomize. Keep one of chart, manifests, inline and kustomize.',
  ],
  [
    'a mirror of images with a scheme',
    `cluster_name: a\n${net}\naddons:\n  registry:\n    images: ^https://registry.example.com`,
    'addons.registry.images: "https://registry.example.com" is not a registry path. Write host and path without a scheme, such as registry.example.com/mirror.',
  ],
  [
    'a mirror of charts without a scheme',
    `cluster_name: a\n${net}\naddons:\n  registry:\n    charts: ^registry.example.com/charts`,
    'addons.registry.charts: "registry.example.com/charts" is not a chart repository URL. Write oci://… or https://….',
  ],
  [
    'a patch that is not there',
    `cluster_name: a\n${net}\ntalos:\n  patches:\n    cluster: [^patches/none.yaml]`,
    'talos.patches.cluster[0] refers to the file patches/none.yaml, which does not exist. Set a path relative to the folder of the inventory, or create the file.',
  ],
]

expectProblems('combinations', combinations)
