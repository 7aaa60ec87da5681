import { describe, expect, test } from 'vitest'
import { examine } from './examine.js'
import type { Problem } from './problem.js'

/**
 * Each row: what is wrong, a cluster.yaml with `^` before the place that the problem should point at, and the problem.
 */
type Row = [title: string, text: string, message: string]

const net = 'network:\n  cidr: 10.0.10.0/24'

const keys: Row[] = [
  ['an unknown key', 'cluster_name: a\n^netwrok: {}', 'netwrok is not a key of the inventory. Did you mean network?'],
  [
    'an unknown key in a group',
    `cluster_name: a\n${net}\n  ^gatewey: 10.0.10.1`,
    'network.gatewey is not a key of the inventory. Did you mean network.gateway?',
  ],
  [
    'a camelCase key',
    `cluster_name: a\n${net}\n^clusterName: b`,
    'clusterName is not a key of the inventory. Did you mean cluster_name?',
  ],
  [
    'a key of another group',
    `cluster_name: a\n^vip: 10.0.10.5\n${net}`,
    'vip is not a key of the inventory. Did you mean network.vip?',
  ],
  [
    'an unknown key of a node',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    ^memory: 4`,
    'workers[0].memory is not a key of the inventory. Did you mean workers[0].ram?',
  ],
  [
    'a word of other tools for vCPUs',
    `cluster_name: a\n${net}\nsizing:\n  worker:\n    ^cores: 4`,
    'sizing.worker.cores is not a key of the inventory. Did you mean sizing.worker.cpu?',
  ],
  [
    'an unknown key without a neighbour',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    ^colour: red`,
    'workers[0].colour is not a key of the inventory. Remove colour; docs/inventory.md lists all keys.',
  ],
  [
    'an unknown addon',
    `cluster_name: a\n${net}\naddons:\n  ^cillium: true`,
    'addons.cillium is not a key of the inventory. Did you mean addons.cilium?',
  ],
  ['a missing key', `^${net}`, 'cluster_name is missing. Add cluster_name, which is text.'],
  [
    'a missing name',
    `cluster_name: a\n${net}\nworkers:\n  - ^ip: 10.0.10.21`,
    'workers[0].name is missing. Add workers[0].name, which is text.',
  ],
  [
    'a duplicate key',
    `cluster_name: a\n${net}\n^cluster_name: b`,
    'cluster_name is written twice in the same mapping. Keep one cluster_name and delete the other.',
  ],
  [
    'a plain value in place of a mapping',
    'cluster_name: a\nnetwork: ^10.0.10.0/24',
    'network must be a mapping, got "10.0.10.0/24", text. Write a mapping.',
  ],
]

const values: Row[] = [
  [
    'a number in place of text',
    `cluster_name: ^12\n${net}`,
    'cluster_name must be text, got 12, a number. Write text. Put quotes around it: "12".',
  ],
  [
    'text in place of a number',
    `cluster_name: a\n${net}\nworker_count: ^three`,
    'worker_count must be a number, got "three", text. Write a number.',
  ],
  [
    'text in place of a boolean',
    `cluster_name: a\n${net}\nha_enabled: ^yes`,
    'ha_enabled must be true or false, got "yes", text. Write true or false.',
  ],
  [
    'a list in place of text',
    `cluster_name: a\n${net}\n  vip: ^[10.0.10.5]`,
    'network.vip must be text, got a list. Write text.',
  ],
  [
    'a negative count',
    `cluster_name: a\n${net}\nworker_count: ^-1`,
    'worker_count: -1 is too small: 0 at least. Write 0 at least.',
  ],
  [
    'half a machine',
    `cluster_name: a\n${net}\nworker_count: ^1.5`,
    'worker_count must be a whole number, got 1.5, a number. Write a whole number.',
  ],
  [
    'a VLAN over 4094',
    `cluster_name: a\n${net}\nproxmox:\n  vlan_id: ^4095`,
    'proxmox.vlan_id: 4095 is too large: 4094 at most. Write 4094 at most.',
  ],
  [
    'a VMID under 100',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    vmid: ^99`,
    'workers[0].vmid: 99 is too small: 100 at least. Write 100 at least.',
  ],
  [
    'a size like 8x',
    `cluster_name: a\n${net}\nsizing:\n  worker:\n    ram: ^8x`,
    'sizing.worker.ram: "8x" is not a size such as 8192 (MiB), 8G or 8GiB. Write a size such as 8192 (MiB), 8G or 8GiB.',
  ],
  [
    'a disk of no size',
    `cluster_name: a\n${net}\nsizing:\n  worker:\n    disk: ^0`,
    'sizing.worker.disk: 0 is not a size such as 40 (GiB), 40G or 40GiB. Write a size such as 40 (GiB), 40G or 40GiB.',
  ],
  [
    'a further disk without a size',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    disks:\n      - ^volume: data`,
    'workers[0].disks[0].size is missing. Add workers[0].disks[0].size, which is a number or text.',
  ],
  [
    'a word that is not among the known ones',
    `cluster_name: a\n${net}\ntalos:\n  boot: ^pxe`,
    'talos.boot: "pxe" is not one of image, iso, template. Write one of image, iso, template.',
  ],
  [
    'a name that is not a DNS label',
    `cluster_name: ^Dev_1\n${net}`,
    'cluster_name: "Dev_1" is not a DNS label of at most 40 characters. Write a DNS label of at most 40 characters, such as dev.',
  ],
  [
    'a name that is too long',
    `cluster_name: a\n${net}\nworkers:\n  - name: ^${'w'.repeat(64)}`,
    `workers[0].name: "${'w'.repeat(64)}" is not a DNS label of at most 63 characters. Write a DNS label of at most 63 characters, such as dev-cp-1.`,
  ],
  [
    'an address that is none',
    `cluster_name: a\n${net}\n  gateway: ^10.0.10`,
    'network.gateway: "10.0.10" is not an IP address. Write an IP address, such as 10.0.10.11.',
  ],
  [
    'a network without a prefix',
    'cluster_name: a\nnetwork:\n  cidr: ^10.0.10.0',
    'network.cidr: "10.0.10.0" is not a network with its prefix length. Write a network with its prefix length, such as 10.0.10.0/24.',
  ],
  [
    'an unknown form of version',
    `cluster_name: a\n${net}\ntalos_version: ^latest`,
    'talos_version: "latest" is not a full version. Write all three numbers, such as v1.13.9.',
  ],
  [
    'a version that YAML takes for a number',
    `cluster_name: a\n${net}\ntalos_version: ^1.13`,
    'talos_version: 1.13 is not a full version. Write all three numbers, such as v1.13.9.',
  ],
  [
    'an address of the gateway for a counted machine',
    `cluster_name: a\n${net}\n  gateway: 10.0.10.10\ncontrol_plane_count: ^1`,
    '10.0.10.10 would be the address of a-cp-1, and it is the address of the gateway. Set network.control_plane_offset, network.worker_offset or the offset of the pool to another value.',
  ],
  [
    'an address of the Proxmox endpoint',
    `cluster_name: a\n${net}\nproxmox:\n  endpoint: https://10.0.10.10:8006\ncontrolplane:\n  - name: a-cp-1\n    ip: ^10.0.10.10`,
    '10.0.10.10 would be the address of a-cp-1, and it is the address of the Proxmox endpoint https://10.0.10.10:8006. Give each its own address.',
  ],
  [
    'an address of a DNS server',
    `cluster_name: a\n${net}\n  dns: 10.0.10.20\nworkers:\n  - name: w\n    ip: ^10.0.10.20`,
    '10.0.10.20 would be the address of w, and it is the address of a DNS server. Give each its own address.',
  ],
  [
    'the VIP on the jump host',
    `cluster_name: a\nproxmox:\n  ssh: { host: 10.0.10.5 }\n${net}\n  vip: ^10.0.10.5`,
    '10.0.10.5 would be the address of the VIP, and it is the address of the SSH jump host. Give each its own address.',
  ],
  [
    'a CPU type that Talos does not start on',
    `cluster_name: a\n${net}\nvm:\n  cpu_type: ^kvm64`,
    'vm.cpu_type lacks instructions that Talos needs: it starts only on x86-64-v2 or later. Set vm.cpu_type to x86-64-v2-AES or host.',
  ],
  [
    'a schedule with a field out of range',
    `cluster_name: a\n${net}\nbackup:\n  etcd:\n    schedule: ^0 25 * * *`,
    'backup.etcd.schedule: "0 25 * * *" is not a cron schedule. Write a cron schedule, such as 0 */6 * * *.',
  ],
  [
    'a time zone that does not exist',
    `cluster_name: a\n${net}\nbackup:\n  etcd:\n    time_zone: ^Mars/Olympus`,
    'backup.etcd.time_zone: "Mars/Olympus" is not an IANA time zone. Write an IANA time zone, such as Europe/Berlin.',
  ],
  [
    'a retention of nothing',
    `cluster_name: a\n${net}\nbackup:\n  etcd:\n    keep: ^{ last: 0 }`,
    'backup.etcd.keep keeps no snapshot at all. Write a number above 0 for last, daily, weekly or monthly.',
  ],
  [
    'a duration without a unit',
    `cluster_name: a\n${net}\nroll:\n  drain_timeout: ^"10"`,
    'roll.drain_timeout: "10" is not a duration such as 90s, 10m or 1h30m. Write a number and a unit: s, m, h or d.',
  ],
  [
    'a check that is neither a command nor an address',
    `cluster_name: a\n${net}\nroll:\n  check: ^{ script: x }`,
    'roll.check.command is missing. Add roll.check.command, which is a list.',
  ],
  [
    'an upgrade path that leaves a minor out',
    `cluster_name: a\n${net}\ntalos:\n  upgrade_path: [v1.10.0, ^v1.12.0]`,
    'talos.upgrade_path goes from v1.10.0 to v1.12.0, but Talos can only be upgraded one minor version at a time. List the versions in ascending order, without leaving a minor version out.',
  ],
  [
    'a drill without an address',
    `cluster_name: a\n${net}\ndrill:\n  bridge: ^vmbr9`,
    'drill.bridge is set, and the machine of a drill has no address: network.mode is static. Set drill.address to an address of that bridge.',
  ],
  [
    'a reserve on a host that is not one of ours',
    `cluster_name: a\n${net}\nproxmox:\n  target_nodes: [pve1, pve2]\nreserve:\n  pve9: ^{ ram: 8G }`,
    'pve9 is not one of the hosts of this inventory: pve1 and pve2. Did you mean pve1?',
  ],
  [
    'an endpoint without TLS',
    `cluster_name: a\n${net}\nproxmox:\n  endpoint: ^http://pve1:8006`,
    'proxmox.endpoint: "http://pve1:8006" is not the https address of a Proxmox host. Write the https address of a Proxmox host, such as https://pve1.example.com:8006.',
  ],
  [
    'a MAC that is none',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    mac: ^02:00`,
    'workers[0].mac: "02:00" is not a MAC address. Write a MAC address, such as 02:CA:F5:11:7F:D0.',
  ],
  [
    'a taint without effect',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    taints: [^gpu]`,
    'workers[0].taints[0]: "gpu" is not a taint such as dedicated=gpu:NoSchedule. Write key=value:Effect, with NoSchedule, PreferNoSchedule or NoExecute.',
  ],
  [
    'a label that Kubernetes refuses',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    labels: { ^-a: b }`,
    'workers[0].labels.-a: the key -a is not the key of a label. Correct the key.',
  ],
  [
    'a label value that Kubernetes refuses',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    labels: { a: ^"b c" }`,
    'workers[0].labels.a: "b c" is not the value of a label. Write letters, digits, dashes, underscores and dots, 63 at most.',
  ],
  [
    'a range that runs backwards',
    `cluster_name: a\n${net}\nvm_ids:\n  worker: ^600-500`,
    'vm_ids.worker: "600-500" is not a range of VMIDs such as 2000-2999, or its start. Write first and last VMID, such as 2000-2999, between 100 and 999999999.',
  ],
  [
    'a host name as a key that is none',
    `cluster_name: a\n${net}\npve_capacity:\n  ^pve 1: { cpu: 4, ram: 8G }`,
    'pve_capacity["pve 1"]: the key pve 1 is not the name of a Proxmox host. Correct the key.',
  ],
]

const addresses: Row[] = [
  [
    'an address outside of the network',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    ip: ^10.0.11.5`,
    '10.0.11.5, the address of w, is outside of network.cidr (10.0.10.0/24). Write an address of 10.0.10.0/24.',
  ],
  [
    'the last address of the network',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    ip: ^10.0.10.255`,
    '10.0.10.255, the address of w, is the first or the last one of 10.0.10.0/24, which no machine can have. Write another address or offset.',
  ],
  [
    'a duplicate address',
    `cluster_name: a\n${net}\nworkers:\n  - name: v\n    ip: 10.0.10.30\n  - name: w\n    ip: ^10.0.10.30`,
    '10.0.10.30 is used by both w and v. Give each its own address.',
  ],
  [
    'a VIP equal to an address of a node',
    `cluster_name: a\n${net}\n  vip: ^10.0.10.10`,
    '10.0.10.10 is used by both the VIP and a-cp-1. Give each its own address.',
  ],
  [
    'a VIP equal to the gateway',
    `cluster_name: a\n${net}\n  gateway: 10.0.10.1\n  vip: ^10.0.10.1`,
    '10.0.10.1 would be the address of the VIP, and it is the address of the gateway. Give each its own address.',
  ],
  [
    'a VIP outside of the network',
    `cluster_name: a\n${net}\n  vip: ^10.0.9.1`,
    '10.0.9.1, the address of the VIP, is outside of network.cidr (10.0.10.0/24). Write an address of 10.0.10.0/24.',
  ],
  [
    'a gateway outside of the network',
    `cluster_name: a\n${net}\n  gateway: ^10.0.9.1`,
    'The gateway 10.0.9.1 is outside of network.cidr (10.0.10.0/24). Write an address such as 10.0.10.1.',
  ],
  [
    'the address of a guest',
    `cluster_name: a\n${net}\nproxmox: { node: pve1 }\nguests:\n  - { name: nas, cpu: 2, ram: 4G, ip: ^10.0.10.10 }`,
    '10.0.10.10 is used by both the guest nas and a-cp-1. Give each its own address.',
  ],
  [
    'services that would get the address of a node',
    `cluster_name: a\n${net}\n  load_balancer: ^10.0.10.5-10.0.10.15\naddons: { metallb: true }`,
    'network.load_balancer (10.0.10.5-10.0.10.15) contains 10.0.10.10, the address of a-cp-1. Choose an unused range.',
  ],
  [
    'overlapping node and pod networks',
    'cluster_name: a\nnetwork:\n  cidr: ^10.244.1.0/24',
    'network.cidr (10.244.1.0/24) overlaps network.pod_cidr (10.244.0.0/16). Choose networks that share no address.',
  ],
  [
    'overlapping pod and service networks',
    `cluster_name: a\n${net}\n  pod_cidr: 10.100.0.0/16\n  svc_cidr: ^10.96.0.0/12`,
    'network.svc_cidr (10.96.0.0/12) overlaps network.pod_cidr (10.100.0.0/16). Choose networks that share no address.',
  ],
  [
    'a network too small for the nodes',
    'cluster_name: a\nworker_count: 20\nnetwork:\n  cidr: ^10.0.10.0/27',
    'network.cidr (10.0.10.0/27) is too small: 8 machines of workers, counted from +20, have no address in it. Write a wider network, a smaller offset, or fewer machines.',
  ],
  [
    'a pod network too small for the nodes',
    'cluster_name: a\nworker_count: 20\nnetwork:\n  cidr: 10.0.10.0/24\n  pod_cidr: ^10.244.0.0/20',
    'network.pod_cidr (10.244.0.0/20) has space for 16 nodes with a /24 each, but there are 21. Write a network with a prefix of /19 or wider.',
  ],
  [
    'a service network larger than Kubernetes takes',
    `cluster_name: a\n${net}\n  svc_cidr: ^172.0.0.0/8`,
    'network.svc_cidr (172.0.0.0/8) is larger than Kubernetes allows for services. Write a prefix of /12 or longer.',
  ],
  [
    'networks of two families',
    `cluster_name: a\n${net}\n  pod_cidr: fd00:1::/56\n  svc_cidr: ^10.96.0.0/12`,
    'network.svc_cidr is IPv4 and network.pod_cidr IPv6. Use one address family for all three; network.ipv6 adds the other.',
  ],
  [
    'nobody could tell the address',
    'cluster_name: a\nnetwork: { mode: dhcp, agent: false }\ncontrol_plane_count: ^1',
    'With DHCP and without the guest agent, ichor cannot find the address of a-cp-1. Give each machine the ip that its lease has, or write network.agent: true.',
  ],
  [
    'no network to count addresses from',
    'cluster_name: a\ncontrol_plane_count: ^1',
    'a-cp-1 has no ip, and network.cidr is not set. Set network.cidr, such as 10.0.10.0/24, or an ip for each machine.',
  ],
  [
    'two pools without an offset',
    `cluster_name: a\n${net}\nworker_pools:\n  - name: one\n    count: 1\n  - name: two\n    count: ^1`,
    'The pool two shares network.cidr with other workers but has no offset for its addresses. Write worker_pools[1].offset, such as 40.',
  ],
  [
    'a further NIC without a network',
    `cluster_name: a\n${net}\n  nics:\n    - ^bridge: vmbr1`,
    'The NIC on vmbr1 has static addresses, and network.nics[0] has no cidr. Set network.nics[0].cidr, or mode: dhcp.',
  ],
  [
    'an IPv6 address without a network',
    `cluster_name: a\n${net}\nworkers:\n  - { name: w, ip6: ^fd00::5 }`,
    'w has an IPv6 address, and there is no network.ipv6.cidr. Set network.ipv6.cidr, such as fd00:10::/64.',
  ],
]

const machines: Row[] = [
  [
    'a duplicate node name',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n  - name: ^w`,
    'The name w is already used by workers[0].name. Give each machine and guest a unique name.',
  ],
  [
    'a guest with the name of a node',
    `cluster_name: a\n${net}\nproxmox: { node: pve1 }\nguests:\n  - { name: ^a-cp-1, cpu: 2, ram: 4G }`,
    'The name a-cp-1 is already used by control_plane_count. Give each machine and guest a unique name.',
  ],
  [
    'a duplicate VMID',
    `cluster_name: a\n${net}\nworkers:\n  - { name: v, vmid: 120 }\n  - { name: w, vmid: ^120 }`,
    'The VMID 120 is already used by workers[0].vmid. Give each machine a VMID of its own, or remove it: ichor then generates one.',
  ],
  [
    'a duplicate MAC',
    `cluster_name: a\n${net}\nworkers:\n  - { name: v, mac: "02:00:00:00:00:01" }\n  - { name: w, mac: ^"02:00:00:00:00:01" }`,
    'The MAC 02:00:00:00:00:01 is already used by workers[0].mac. Give each machine a MAC of its own, or remove it: ichor then generates one.',
  ],
  [
    'a multicast MAC',
    `cluster_name: a\n${net}\nworkers:\n  - { name: v, mac: ^"03:00:00:00:00:01" }`,
    '03:00:00:00:00:01 is a multicast address, which no NIC can have. Write a MAC whose second digit is even, such as 02:….',
  ],
  [
    'more machines than VMIDs',
    `cluster_name: a\n${net}\nworker_count: 3\nvm_ids:\n  worker: ^500-501`,
    'The VMID range 500-501 has 2 VMIDs for 3 machines. Write a wider range, such as 500-506.',
  ],
  [
    'an even number of control planes with ha_enabled',
    `cluster_name: a\n${net}\nha_enabled: true\ncontrol_plane_count: ^4`,
    'ha_enabled requires that the cluster survives the loss of a control plane, but 4 cannot: etcd needs an odd number of members, three at least. Write 3 or 5, or remove ha_enabled.',
  ],
  [
    'a single control plane with ha_enabled',
    `cluster_name: a\n${net}\nha_enabled: true\ncontrol_plane_count: ^1`,
    'ha_enabled requires that the cluster survives the loss of a control plane, but a single one cannot: etcd needs an odd number of members, three at least. Write 3 or 5, or remove ha_enabled.',
  ],
  [
    'more names than the count says',
    `cluster_name: a\n${net}\nworker_count: ^1\nworkers: [{ name: v }, { name: w }]`,
    '2 machines of workers are named, but the count is 1. Write 2 or more, or leave the count out.',
  ],
  [
    'too little memory',
    `cluster_name: a\n${net}\nsizing:\n  control_plane:\n    ram: ^1024`,
    'a-cp-1 has 1024 MiB of memory, and Talos does not start a controlplane with less than 1698 MiB. Write 2GiB or more. A bare number is MiB.',
  ],
  [
    'a pool that is not there',
    `cluster_name: a\n${net}\nworkers:\n  - { name: w, pool: ^gpu }`,
    'There is no worker pool gpu. Add it to worker_pools, or leave pool out.',
  ],
  [
    'two pools of one name',
    `cluster_name: a\n${net}\nworker_pools:\n  - { name: gpu, count: 0 }\n  - { name: ^gpu, count: 0 }`,
    'The pool name gpu is already taken. Give each pool a unique name; controlplane, workers, cp and wk are reserved.',
  ],
  [
    'a pool of which no machine may ever be away',
    `cluster_name: a\n${net}\nworker_pools:\n  - { name: gpu, count: 2, max_unavailable: ^0% }`,
    'If no machine of the pool may be unavailable, none can be restarted. Write 1 or more.',
  ],
  [
    'a proxy that the ssh program would not use',
    `cluster_name: a\n${net}\nproxmox:\n  socks: ^socks5://127.0.0.1:1080\n  ssh: { host: jump, driver: openssh }`,
    'proxmox.ssh runs the ssh program of this computer, which does not go through proxmox.socks. Leave proxmox.ssh.driver out, or write the proxy into ssh_config as ProxyCommand and remove proxmox.socks.',
  ],
  [
    'protection of nobody',
    `cluster_name: a\n${net}\nprotect: [^b]`,
    'There is no machine or worker pool b to protect. Write the name of a machine or of a worker pool of this inventory, workers, or control_plane.',
  ],
]

const hosts: Row[] = [
  [
    'a pin to an unknown host',
    `cluster_name: a\n${net}\nproxmox:\n  target_nodes: [pve1, pve2]\nplacement:\n  pinned:\n    a-cp-1: ^pve3`,
    'pve3 is not one of the hosts of this inventory: pve1 and pve2. Did you mean pve1?',
  ],
  [
    'a pin of an unknown machine',
    `cluster_name: a\n${net}\nplacement:\n  pinned:\n    ^a-cp-9: pve1`,
    'There is no machine a-cp-9 to pin. Write the name of a machine of this inventory.',
  ],
  [
    'a pin against the host of the node',
    `cluster_name: a\n${net}\nworkers:\n  - { name: w, host: pve1 }\nplacement:\n  pinned: { w: ^pve2 }`,
    'w is pinned to pve2, and its own host is pve1. Keep one of the two.',
  ],
  [
    'a pin to a host that is avoided',
    `cluster_name: a\n${net}\nplacement:\n  avoid: [pve1]\n  pinned: { a-cp-1: ^pve1 }`,
    'a-cp-1 is pinned to pve1, which placement.avoid keeps empty. Pin it to another host, or remove that host from the list.',
  ],
  [
    'no host that is not avoided',
    `cluster_name: a\n${net}\nproxmox:\n  node: pve1\nplacement:\n  avoid: ^[pve1]`,
    'placement.avoid leaves no host: pve1 are all avoided. Leave at least one host out of it.',
  ],
  [
    'capacity of a host that is not used',
    `cluster_name: a\n${net}\nproxmox:\n  node: pve1\npve_capacity:\n  pve1: { cpu: 8, ram: 16G }\n  ^pve2: { cpu: 8, ram: 16G }`,
    'pve_capacity names pve2, which is not one of the hosts to use: pve1. Remove it, or add pve2 to proxmox.target_nodes.',
  ],
  [
    'more machines than hosts under required anti-affinity',
    `cluster_name: a\n${net}\ncontrol_plane_count: 3\nproxmox:\n  target_nodes: [pve1, pve2]\nplacement:\n  anti_affinity: ^required`,
    'No two machines of controlplane may share a host, but there are 3 machines for 2 hosts. Use preferred, add hosts, or reduce the number of machines.',
  ],
  [
    'a guest without a place',
    `cluster_name: a\n${net}\nproxmox:\n  target_nodes: [pve1, pve2]\nguests:\n  - ^{ name: nas, cpu: 2, ram: 4G }`,
    'The guest nas has no host. Set guests[0].host.',
  ],
]

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
    'a manifest over http',
    `cluster_name: a\n${net}\naddons:\n  custom:\n    - name: x\n      manifests: [^http://a.lan/x.yaml]`,
    'The manifest would be downloaded over unencrypted http: http://a.lan/x.yaml. Use https, or add a.lan to allow_http if you trust the network in between.',
  ],
  [
    'an endpoint that is none',
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
    'addons.registry.images: "https://registry.example.com" is no place of images. Write host and path without a scheme, such as registry.example.com/mirror.',
  ],
  [
    'a mirror of charts without a scheme',
    `cluster_name: a\n${net}\naddons:\n  registry:\n    charts: ^registry.example.com/charts`,
    'addons.registry.charts: "registry.example.com/charts" is no address of charts. Write oci://… or https://….',
  ],
  [
    'a patch that is not there',
    `cluster_name: a\n${net}\ntalos:\n  patches:\n    cluster: [^patches/none.yaml]`,
    'talos.patches.cluster[0] refers to the file patches/none.yaml, which does not exist. Set a path relative to the folder of the inventory, or create the file.',
  ],
]

const syntax: Row[] = [
  [
    'a tab',
    'cluster_name: a\nnetwork:\n^\tcidr: 10.0.10.0/24',
    'This line is indented with a tab. Indent with spaces: YAML does not allow tabs.',
  ],
  [
    'an open quote',
    'cluster_name: "a\nnetwork: {}^',
    'A quote or bracket is opened here and never closed. Close it, or quote the whole text.',
  ],
  [
    'a line without a colon',
    'cluster_name: a\n^network\nvm: {}',
    'This line has no `key: value`. Write a colon and a space after the key.',
  ],
  [
    'two documents',
    'cluster_name: a\n^---\ncluster_name: b',
    'The file holds several documents. Keep one document in a file: remove the `---` line and everything after it.',
  ],
  [
    'an empty file',
    '^',
    'The file is empty. Write at least `cluster_name: dev` to it; the README has a complete example.',
  ],
  [
    'only comments',
    '^# nothing yet\n',
    'The file is empty. Write at least `cluster_name: dev` to it; the README has a complete example.',
  ],
  [
    'a list in place of a mapping',
    '^- cluster_name: a',
    'The file is not a mapping. Write `key: value` lines, such as `cluster_name: dev`.',
  ],
  [
    'an alias of nothing',
    '^cluster_name: *name',
    'The aliases of this file expand to more than 100000 values, or to something that does not exist. Write the values out instead of nesting aliases (`*name`) in each other.',
  ],
]

async function complaints(text: string): Promise<readonly Problem[]> {
  const { problems } = await examine({ folder: '/nowhere', cluster: { file: 'cluster.yaml', text } })
  return problems.filter(({ severity }) => severity === 'error')
}

function marked(text: string): { text: string; line: number; column: number } {
  const [before = '', after = ''] = text.split('^')
  const lines = before.split('\n')
  return { text: before + after, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

describe.each([
  ['keys', keys],
  ['values', values],
  ['addresses', addresses],
  ['machines', machines],
  ['hosts', hosts],
  ['combinations', combinations],
  ['syntax', syntax],
])('%s', (_, rows) => {
  test.each(rows)('%s', async (_, written, message) => {
    const { text, line, column } = marked(written)
    const problems = await complaints(text)
    const said = problems.map((problem) => `${problem.line}:${problem.column} ${problem.message} ${problem.fix}`)
    expect(said).toContain(`${line}:${column} ${message}`)
    expect(said.length, said.join('\n')).toBeLessThan(3)
  })
})
