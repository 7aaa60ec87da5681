import { imageLacksKeys } from '../../cluster/secure-boot.js'
import type { Complaint } from '../complaint.js'
import { formatPath, type Path, valueAt } from '../path.js'
import type { Settings } from '../schema.js'
import type { CheckInput } from './check.js'

/** Two settings that exclude each other. */
interface Conflict {
  readonly paths: readonly [Path, ...Path[]]
  readonly clashes: (settings: Settings, has: (path: Path) => boolean) => boolean
  readonly message: string
  readonly fix: string
  readonly severity?: 'warning'
}

/** CPU types of Proxmox below x86-64-v2. */
const oldCpuTypes =
  /^(custom-)?(486|pentium[23]?|athlon|core2duo|coreduo|kvm32|kvm64|qemu32|qemu64|phenom|Conroe|Penryn|Opteron_G[123]|x86-64-v1)$/

const conflicts: readonly Conflict[] = [
  {
    paths: [
      ['talos', 'delivery'],
      ['talos', 'platform'],
    ],
    clashes: ({ talos }) => talos.delivery === 'cidata' && talos.platform === 'metal',
    message: 'Configs are delivered as cidata, and metal media do not read them.',
    fix: 'Set talos.platform: nocloud, or talos.delivery: apply.',
  },
  {
    paths: [['talos', 'delivery'], ['network', 'mode'], ['network', 'vip'], ['endpoint_override'], ['controlplane']],
    clashes: ({ talos, network, endpoint_override, controlplane }, has) =>
      has(['talos', 'delivery']) &&
      talos.delivery === 'cidata' &&
      network.mode === 'dhcp' &&
      network.vip === undefined &&
      endpoint_override === undefined &&
      controlplane[0]?.ip === undefined,
    message:
      'A cidata config must contain the endpoint, which is not known beforehand with DHCP and without a VIP or endpoint_override.',
    fix: 'Set talos.delivery: apply, network.vip, endpoint_override, or the ip that the lease of the first control plane has.',
  },
  {
    paths: [
      ['talos', 'hostnames'],
      ['network', 'mode'],
    ],
    clashes: ({ talos, network }) => talos.hostnames === 'dhcp' && network.mode !== 'dhcp',
    message: 'Hostnames are left to DHCP, and addresses are static.',
    fix: 'Set network.mode: dhcp, or talos.hostnames: static.',
  },
  {
    paths: [
      ['talos', 'iso'],
      ['talos', 'boot'],
    ],
    clashes: ({ talos }) => talos.iso !== undefined && talos.boot !== 'iso',
    message: 'talos.iso names an ISO, and talos.boot does not boot one.',
    fix: 'Set talos.boot: iso, or remove talos.iso.',
  },
  {
    paths: [
      ['talos', 'iso'],
      ['talos', 'image_file'],
    ],
    clashes: ({ talos }) => talos.iso !== undefined && talos.image_file !== undefined,
    message: 'talos.iso and talos.image_file are both set; a machine boots one of them.',
    fix: 'Keep one of the two.',
  },
  {
    paths: [
      ['talos', 'schematic'],
      ['talos', 'extensions'],
      ['talos', 'kernel_args'],
      ['talos', 'meta'],
      ['talos', 'overlay'],
    ],
    clashes: ({ talos }) =>
      talos.schematic !== undefined &&
      (talos.extensions.length > 0 ||
        talos.kernel_args.length > 0 ||
        talos.meta.length > 0 ||
        talos.overlay !== undefined),
    message:
      'talos.schematic is the id of a ready schematic; extensions, kernel_args, meta and overlay cannot change it.',
    fix: 'Keep either the id or the other settings.',
  },
  {
    paths: [['talos', 'schematic'], ['worker_pools']],
    clashes: ({ talos, worker_pools }) =>
      talos.schematic !== undefined && worker_pools.some((pool) => pool.extensions.length > 0),
    message: 'talos.schematic is the id of a ready schematic; the extensions of a pool cannot change it.',
    fix: 'Set talos.extensions instead of talos.schematic.',
  },
  {
    paths: [
      ['talos', 'secure_boot'],
      ['vm', 'bios'],
    ],
    clashes: ({ talos, vm }) => talos.secure_boot && vm.bios !== 'ovmf',
    message: 'Secure boot needs UEFI, and vm.bios is seabios.',
    fix: 'Set vm.bios: ovmf.',
  },
  {
    paths: [
      ['talos', 'secure_boot'],
      ['talos', 'boot'],
    ],
    clashes: imageLacksKeys,
    severity: 'warning',
    message: 'Before Talos 1.14 an image does not enrol the keys of Secure Boot: new machines are refused.',
    fix: 'Set talos.boot: iso.',
  },
  {
    paths: [
      ['talos', 'disk_encryption'],
      ['vm', 'tpm'],
      ['talos', 'secure_boot'],
    ],
    clashes: ({ talos, vm }) => talos.disk_encryption?.key === 'tpm' && !(vm.tpm && talos.secure_boot),
    message: 'Disk encryption with a TPM requires vm.tpm and secure boot.',
    fix: 'Set vm.tpm: true and talos.secure_boot: true, or key: node-id.',
  },
  {
    paths: [
      ['vm', 'disk', 'iothread'],
      ['vm', 'scsihw'],
    ],
    clashes: ({ vm }) => vm.disk.iothread && vm.scsihw !== 'virtio-scsi-single',
    message: 'A thread for each disk needs the controller virtio-scsi-single.',
    fix: 'Remove vm.disk.iothread: Talos advises against virtio-scsi-single.',
  },
  {
    paths: [
      ['talos', 'arch'],
      ['vm', 'cpu_type'],
      ['vm', 'machine'],
    ],
    clashes: ({ talos, vm }) => talos.arch === 'arm64' && (vm.cpu_type.startsWith('x86') || vm.machine.includes('q35')),
    message: 'arm64 machines cannot have an x86 CPU or a q35 board.',
    fix: 'Set vm.cpu_type: host and vm.machine: virt.',
  },
  {
    paths: [
      ['vm', 'cpu_type'],
      ['talos', 'arch'],
    ],
    clashes: ({ talos, vm }) => talos.arch === 'amd64' && oldCpuTypes.test(vm.cpu_type),
    message: 'vm.cpu_type lacks instructions that Talos needs: it starts only on x86-64-v2 or later.',
    fix: 'Set vm.cpu_type to x86-64-v2-AES or host.',
  },
  {
    paths: [
      ['drill', 'address'],
      ['drill', 'bridge'],
      ['network', 'mode'],
    ],
    clashes: ({ drill, network }) =>
      drill.bridge !== undefined && drill.address === undefined && network.mode === 'static',
    message: 'drill.bridge is set, and the machine of a drill has no address: network.mode is static.',
    fix: 'Set drill.address to an address of that bridge.',
  },
  {
    paths: [
      ['proxmox', 'datastore'],
      ['proxmox', 'datastore_id'],
    ],
    clashes: (_, has) => has(['proxmox', 'datastore']) && has(['proxmox', 'datastore_id']),
    message: 'proxmox.datastore and proxmox.datastore_id are two names for the same setting.',
    fix: 'Keep one of the two.',
  },
  {
    paths: [
      ['proxmox', 'socks'],
      ['proxmox', 'ssh'],
    ],
    clashes: ({ proxmox }) => proxmox.socks !== undefined && proxmox.ssh !== undefined,
    message: 'proxmox.ssh and proxmox.socks are both set; only one of them can be used.',
    fix: 'Keep one of the two.',
  },
  {
    paths: [
      ['proxmox', 'insecure'],
      ['proxmox', 'fingerprint'],
    ],
    clashes: ({ proxmox }) => proxmox.insecure && (proxmox.fingerprint !== undefined || proxmox.ca !== undefined),
    message: 'proxmox.insecure disables the check of proxmox.fingerprint or proxmox.ca.',
    fix: 'Remove proxmox.insecure.',
  },
  {
    paths: [
      ['proxmox', 'socks'],
      ['proxmox', 'ssh', 'driver'],
    ],
    clashes: ({ proxmox }) => proxmox.socks !== undefined && proxmox.ssh?.driver === 'openssh',
    message: 'proxmox.ssh runs the ssh program of this computer, which does not go through proxmox.socks.',
    fix: 'Leave proxmox.ssh.driver out, or write the proxy into ssh_config as ProxyCommand and remove proxmox.socks.',
  },
  {
    paths: [['proxmox', 'insecure']],
    clashes: ({ proxmox }) => proxmox.insecure,
    severity: 'warning',
    message: 'The certificate of Proxmox is not checked: anyone in between could read the token.',
    fix: 'Set proxmox.fingerprint instead.',
  },
  {
    paths: [
      ['firewall', 'enabled'],
      ['network', 'cidr'],
    ],
    clashes: ({ firewall, network }) => firewall.enabled && network.cidr === undefined,
    message: 'The firewall is enabled, but the network from which the nodes reach each other is not known.',
    fix: 'Set network.cidr.',
  },
  {
    paths: [
      ['firewall', 'hosts'],
      ['firewall', 'proxmox'],
    ],
    clashes: ({ firewall }) => firewall.enabled && firewall.hosts && !firewall.proxmox,
    message: 'firewall.hosts enables the firewall of Proxmox, but firewall.proxmox is off.',
    fix: 'Remove firewall.proxmox: false, or firewall.hosts.',
  },
  {
    paths: [
      ['firewall', 'default_deny'],
      ['kubernetes', 'cni'],
    ],
    clashes: ({ firewall, kubernetes, addons }) =>
      firewall.enabled && firewall.default_deny && kubernetes.cni === 'none' && !hasKnownNetwork(addons),
    severity: 'warning',
    message: 'firewall.default_deny closes the ports of a network for pods that ichor does not install.',
    fix: 'Add the ports that it uses between nodes to firewall.open_ports, with from: the network of the nodes.',
  },
  {
    paths: [['backup', 'machines']],
    clashes: backsUpNothing,
    severity: 'warning',
    message:
      'backup.machines backs up nothing: no worker has a data disk, and everything else is recreated from the inventory.',
    fix: 'Remove it, or set backup.machines.guests or backup.machines.control_planes.',
  },
  {
    paths: [['placement', 'avoid']],
    clashes: ({ placement }) => placement.avoid.length > 0,
    severity: 'warning',
    message: 'Hosts in placement.avoid get no new machines; existing machines are not moved.',
    fix: 'Migrate them in Proxmox: ichor finds them wherever they are.',
  },
  {
    paths: [
      ['firewall', 'admin_networks'],
      ['firewall', 'enabled'],
    ],
    clashes: ({ firewall }) => firewall.enabled && firewall.admin_networks.length === 0,
    message: 'The firewall is enabled, but no network may reach the Talos and Kubernetes APIs.',
    fix: 'Set firewall.admin_networks with the network that you work from.',
  },
]

function hasKnownNetwork({ cilium, flannel }: Settings['addons']): boolean {
  return cilium !== undefined || flannel !== undefined
}

/** Settings that are valid alone and cannot work together. */
export function* checkCombinations(input: CheckInput): Iterable<Complaint> {
  const { settings, has } = input
  for (const { paths, clashes, message, fix, severity } of conflicts) {
    if (!clashes(settings, has)) continue
    const path = paths.find((candidate) => has(candidate)) ?? paths[0]
    yield { path, related: paths, message, fix, ...(severity === undefined ? {} : { severity }) }
  }
  yield* deviceBoards(input)
  yield* plainSecrets(settings)
  yield* endpointForm(settings)
}

function* deviceBoards({ settings: { vm }, drafts }: CheckInput): Iterable<Complaint> {
  if (vm.machine.includes('q35')) return
  const draft = drafts.find(({ machine }) => machine.devices.some(({ pcie }) => pcie))
  if (draft === undefined) return
  yield {
    path: ['vm', 'machine'],
    message: `${draft.machine.name} has a PCI Express device, and the board ${vm.machine} has no PCI Express.`,
    fix: 'Set vm.machine: q35, or pcie: false for the device.',
  }
}

const secretPaths: readonly Path[] = [
  ['proxmox', 'token_secret'],
  ['proxmox', 'ssh', 'passphrase'],
  ['addons', 'flux', 'key'],
  ['addons', 'argocd', 'key'],
  ['addons', 'vector', 'elasticsearch_password'],
  ['backup', 'etcd', 'access_key'],
  ['backup', 'etcd', 'secret_key'],
  ['watch', 'token'],
]

function backsUpNothing({ backup: { machines }, guests, sizing, workers, worker_pools: pools }: Settings): boolean {
  if (machines === undefined || machines.control_planes || (machines.guests && guests.length > 0)) return false
  const disks = [sizing.worker.disks, ...pools.map(({ sizing }) => sizing?.disks), ...workers.map((node) => node.disks)]
  return disks.every((list) => (list ?? []).length === 0)
}

function* plainSecrets(settings: Settings): Iterable<Complaint> {
  const ofWebhooks = settings.observability.webhooks.flatMap((_, at): Path[] => [
    ['observability', 'webhooks', at, 'url'],
    ['observability', 'webhooks', at, 'secret'],
  ])
  for (const path of [...secretPaths, ...ofWebhooks]) {
    const ref = valueAt(settings, path) as { kind?: string } | undefined
    if (ref?.kind !== 'plain') continue
    const name = String(path.at(-1)).toUpperCase()
    yield {
      path,
      severity: 'warning',
      message: `${formatPath(path)} is written in plain text, and version control would keep it forever.`,
      fix: `Write env:${name}, file:PATH, or secret:NAME.`,
    }
  }
}

function* endpointForm({ endpoint_override: endpoint }: Settings): Iterable<Complaint> {
  if (endpoint === undefined) return
  const url = /^https?:\/\//.test(endpoint) ? endpoint : `https://${endpoint}`
  if (URL.canParse(url) && /^https:/.test(url) && new URL(url).pathname === '/') return
  yield {
    path: ['endpoint_override'],
    message: `endpoint_override: ${JSON.stringify(endpoint)} is not an endpoint.`,
    fix: 'Write a name or address, with a port if it is not 6443, such as k8s.example.com or https://10.0.10.5:6443.',
  }
}
