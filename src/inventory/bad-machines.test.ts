import { expectProblems, net, type Row } from '../../tests/support/bad-inventories.js'

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
    'The VMID 120 is already used by workers[0].vmid. Give each machine a unique VMID, or remove it: ichor then generates one.',
  ],
  [
    'a duplicate MAC',
    `cluster_name: a\n${net}\nworkers:\n  - { name: v, mac: "02:00:00:00:00:01" }\n  - { name: w, mac: ^"02:00:00:00:00:01" }`,
    'The MAC 02:00:00:00:00:01 is already used by workers[0].mac. Give each machine a unique MAC, or remove it: ichor then generates one.',
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
    'protection of an unknown machine',
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

expectProblems('machines', machines)
expectProblems('hosts', hosts)
