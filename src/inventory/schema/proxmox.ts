import { z } from 'zod'
import {
  bridgeName,
  cpuCount,
  hostName,
  memorySize,
  port,
  proxmoxEndpoint,
  secret,
  startupOrder,
  storageName,
  textOf,
  vlanId,
  vmidOrRange,
  vmidRange,
} from './values.js'

const ssh = z.lazy(() =>
  z
    .strictObject({
      host: z.string().min(1).describe('Jump host: usually a Proxmox host that can reach the nodes.'),
      port: port.default(22).describe('Port of its SSH server.'),
      user: z
        .string()
        .min(1)
        .default('root')
        .describe('User to log in as. No command is run on the host, connections are only forwarded.'),
      key: z.string().min(1).exactOptional().describe('Path of the private key. Default: keys of the SSH agent.'),
      passphrase: secret.exactOptional().describe('Passphrase of the key.'),
      known_hosts: z.string().min(1).default('~/.ssh/known_hosts').describe('File that must contain the host key.'),
      driver: z
        .enum(['builtin', 'openssh'])
        .default('builtin')
        .describe('`openssh` runs `ssh -W` of this computer, for ssh_config, FIDO keys or certificates.'),
    })
    .describe('Reach Proxmox, Talos and Kubernetes through this SSH server.'),
)

/** Proxmox API, hosts, storages and network. */
export const proxmox = z
  .strictObject({
    endpoint: proxmoxEndpoint
      .exactOptional()
      .describe('Address of the API; a trailing `/api2/json` is fine. Default: `PROXMOX_VE_ENDPOINT`.'),
    endpoints: z
      .array(proxmoxEndpoint)
      .default([])
      .describe('Several addresses, tried in turn. Other hosts are discovered from the cluster.'),
    region: z
      .string()
      .min(1)
      .exactOptional()
      .describe('Name of this Proxmox cluster in the topology labels of the nodes. Default: the cluster name.'),
    insecure: z.boolean().default(false).describe('Do not verify the certificate of the API. Prefer `fingerprint`.'),
    fingerprint: textOf('a SHA-256 fingerprint', 'AB:CD:… (32 pairs of hex digits)', (text) =>
      /^[0-9A-Fa-f]{2}(:?[0-9A-Fa-f]{2}){31}$/.test(text),
    )
      .exactOptional()
      .describe('SHA-256 fingerprint that the certificate of the API must have.'),
    ca: z.string().min(1).exactOptional().describe('Path of a CA certificate (PEM) that the API must be signed by.'),
    token_id: textOf('a token id', 'ichor@pve!ichor', (text) => /^[^@!\s]+@[^@!\s]+![^@!\s=]+$/.test(text))
      .exactOptional()
      .describe('API token. Default: the part of `PROXMOX_VE_API_TOKEN` before its `=`.'),
    token_secret: secret
      .exactOptional()
      .describe(
        'Secret of the token, or the whole token (`user@realm!name=secret`), by reference. Default: the part of `PROXMOX_VE_API_TOKEN` after its `=`.',
      ),
    node: hostName.exactOptional().describe('Host to use, if there is only one.'),
    target_nodes: z
      .array(hostName)
      .default([])
      .describe('Hosts to use. Default: `node`, else the hosts in `pve_capacity`, else all hosts.'),
    datastore: storageName
      .exactOptional()
      .describe('Storage for the disks of the machines. Default: the first on the host that allows disk images.'),
    datastore_id: storageName.exactOptional().describe('Alias of `datastore`.'),
    image_datastore: storageName
      .exactOptional()
      .describe('Storage that Talos images are downloaded to (content `import` or `iso`).'),
    template_datastore: storageName
      .exactOptional()
      .describe('Storage for the disks of templates. Default: `datastore`.'),
    seed_datastore: storageName
      .exactOptional()
      .describe('Storage that configs are uploaded to on their way to a machine (content `import`, else `iso`).'),
    bridge: bridgeName.default('vmbr0').describe('Bridge of the first NIC.'),
    vlan_id: vlanId.exactOptional().describe('VLAN tag of the first NIC.'),
    pool: textOf('a pool name', 'ichor-dev', (text) => /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+){0,1}$/.test(text))
      .exactOptional()
      .describe('Resource pool of the machines; the lease is a pool below it. Default: `ichor-` and the cluster name.'),
    ssh: ssh.exactOptional(),
    socks: textOf('a SOCKS5 address', 'socks5://127.0.0.1:1080', (text) => /^socks5h?:\/\/[^/\s]+:\d+$/.test(text))
      .exactOptional()
      .describe('Reach everything through this SOCKS5 proxy.'),
  })
  .prefault({})
  .describe('Proxmox API, hosts, storages and network.')

/** What this inventory may use on each host. */
export const pveCapacity = z
  .record(
    hostName,
    z.lazy(() =>
      z.strictObject({
        cpu: cpuCount.describe('vCPUs that this inventory may use there.'),
        ram: memorySize.describe('Memory that this inventory may use there; a bare number is MiB.'),
      }),
    ),
  )
  .exactOptional()
  .describe('Capacity of each host that this inventory may use. vCPUs are then not overcommitted.')

/** What each host keeps free. */
export const reserve = z
  .record(
    z.union([hostName, z.literal('*')]),
    z.lazy(() =>
      z.strictObject({
        cpu: z.int().min(0).max(512).default(0).describe('vCPUs kept free.'),
        ram: memorySize.exactOptional().describe('Memory kept free; a bare number is MiB.'),
      }),
    ),
  )
  .default({})
  .describe('Capacity to keep free on each host, by name or `"*"` for all others.')

const affinity = z.enum(['none', 'preferred', 'required'])

/** Which machine runs on which host. */
export const placement = z
  .strictObject({
    strategy: z
      .enum(['spread', 'pin', 'pack'])
      .default('spread')
      .describe(
        '`spread` over as many hosts as possible, `pack` on as few as possible, or `pin`: machines run on the host set in `pinned` or `host`; others are spread.',
      ),
    pinned: z.record(z.string(), hostName).default({}).describe('Machine name to host, for any strategy.'),
    anti_affinity: z
      .union([
        affinity,
        z.strictObject({
          control_plane: affinity.default('preferred').describe('For control planes.'),
          worker: affinity.default('preferred').describe('For workers.'),
        }),
      ])
      .prefault('preferred')
      .transform((value) => (typeof value === 'string' ? { control_plane: value, worker: value } : value))
      .describe('Whether two machines of one pool may share a host: `required` refuses, `preferred` avoids it.'),
    overcommit: z
      .number()
      .min(0.1)
      .max(64)
      .default(4)
      .describe('vCPUs per hardware thread, without `pve_capacity`. Memory is never overcommitted.'),
    avoid: z.array(hostName).default([]).describe('Hosts that get no new machines; existing machines are not moved.'),
    evacuate: z.array(hostName).default([]).describe('Hosts to move all machines off; they get no new machines.'),
    ha: z
      .union([
        z.boolean(),
        z.strictObject({
          max_restart: z.int().min(0).max(10).default(1).describe('Maximum restarts on the same host.'),
          max_relocate: z.int().min(0).max(10).default(1).describe('Maximum relocations to other hosts.'),
        }),
      ])
      .prefault(false)
      .transform((value) =>
        value === false ? undefined : value === true ? { max_restart: 1, max_relocate: 1 } : value,
      )
      .describe('Proxmox HA restarts the machines on other hosts; their disks must be on shared storage.'),
  })
  .prefault({})
  .describe('Which machine runs on which host.')

/** VMID ranges. */
export const vmIds = z
  .strictObject({
    control_plane: vmidRange
      .prefault('2000-2999')
      .describe('Range of the control planes: start plus index, or the next free VMID.'),
    worker: vmidRange.prefault('3000-3999').describe('Range of the workers.'),
    template: z
      .array(vmidOrRange)
      .prefault(['998', '999', '900-997'])
      .describe('Ranges of the templates, in the order in which they are used.'),
  })
  .prefault({})
  .describe('VMID ranges. Existing machines keep their VMIDs.')

/** Hardware settings of the VMs. */
export const vm = z
  .strictObject({
    cpu_type: z.string().min(1).default('x86-64-v2-AES').describe('CPU type; Talos needs at least x86-64-v2.'),
    bios: z.enum(['ovmf', 'seabios']).default('ovmf').describe('Firmware.'),
    machine: z.string().min(1).default('q35').describe('Machine type.'),
    scsihw: z
      .enum(['virtio-scsi-pci', 'virtio-scsi-single', 'lsi', 'lsi53c810', 'megasas', 'pvscsi'])
      .default('virtio-scsi-pci')
      .describe('SCSI controller. Talos advises against `virtio-scsi-single`.'),
    balloon: z
      .int()
      .min(0)
      .default(0)
      .describe('Minimum memory in MiB for ballooning; 0 disables ballooning, as recommended for Kubernetes.'),
    numa: z.boolean().default(false).describe('Enable NUMA.'),
    tpm: z.boolean().default(false).describe('Give each machine a TPM 2.0.'),
    onboot: z.boolean().default(true).describe('Start with the host.'),
    startup: startupOrder.exactOptional().describe('Order and delays at host start.'),
    serial: z.boolean().default(true).describe('Serial port for the console.'),
    disk: z
      .strictObject({
        discard: z.boolean().default(true).describe('Enable discard (TRIM).'),
        ssd: z.boolean().default(true).describe('Present the disk as an SSD.'),
        iothread: z.boolean().default(false).describe('Use an I/O thread; needs `virtio-scsi-single`.'),
        cache: z
          .enum(['none', 'writethrough', 'writeback', 'directsync', 'unsafe'])
          .exactOptional()
          .describe('Host cache mode. Do not use `unsafe`: etcd needs durable writes.'),
        aio: z.enum(['native', 'threads', 'io_uring']).exactOptional().describe('Kind of asynchronous I/O.'),
        backup: z.boolean().default(true).describe('Include in Proxmox backups.'),
        replicate: z.boolean().default(true).describe('Include in storage replication.'),
      })
      .prefault({})
      .describe('Flags of every disk.'),
  })
  .prefault({})
  .describe('Hardware settings of the VMs.')
