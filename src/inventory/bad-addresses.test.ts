import { expectProblems, net, type Row } from '../../tests/support/bad-inventories.js'

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

expectProblems('addresses', addresses)
