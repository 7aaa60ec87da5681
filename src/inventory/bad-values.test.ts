import { expectProblems, net, type Row } from '../../tests/support/bad-inventories.js'

const values: Row[] = [
  [
    'an issuer that the API server refuses',
    `cluster_name: a\n${net}\nkubernetes:\n  oidc:\n    issuer: ^https://id.example.com/?realm=a\n    client_id: kube`,
    'kubernetes.oidc.issuer: "https://id.example.com/?realm=a" is not an https address without credentials, query or fragment. Write an https address without credentials, query or fragment, such as https://login.example.com.',
  ],
  [
    'a prefix that makes administrators',
    `cluster_name: a\n${net}\nkubernetes:\n  oidc:\n    issuer: https://id.example.com\n    client_id: kube\n    groups_prefix: ^"system:"`,
    'kubernetes.oidc.groups_prefix: "system:" would let users of the identity provider claim to be system:masters. Write a prefix of its own, such as "oidc:".',
  ],
  [
    'a stage that no request has',
    `cluster_name: a\n${net}\nobservability:\n  audit_policy:\n    rules:\n      - level: Metadata\n    omitStages: [^RequestRecieved]`,
    'observability.audit_policy.omitStages[0]: "RequestRecieved" is not one of RequestReceived, ResponseStarted, ResponseComplete, Panic. Write one of RequestReceived, ResponseStarted, ResponseComplete, Panic.',
  ],
  [
    'an audit rule about paths and resources',
    `cluster_name: a\n${net}\nobservability:\n  audit_policy:\n    rules:\n      - level: None\n        namespaces: [default]\n        nonResourceURLs: ^["/healthz*"]`,
    'observability.audit_policy.rules[0].nonResourceURLs cannot be combined with resources or namespaces. Write two rules: one with nonResourceURLs, one with resources and namespaces.',
  ],
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
    'an invalid address',
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
    'an invalid MAC',
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
    'a host name as a key that is not one',
    `cluster_name: a\n${net}\npve_capacity:\n  ^pve 1: { cpu: 4, ram: 8G }`,
    'pve_capacity["pve 1"]: the key pve 1 is not the name of a Proxmox host. Correct the key.',
  ],
]

expectProblems('values', values)
