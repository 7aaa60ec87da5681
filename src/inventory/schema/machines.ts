import { z } from 'zod'
import { extension, patch } from './talos.js'
import {
  address,
  bridgeName,
  count,
  cpuCount,
  diskSize,
  hostName,
  labelKey,
  labelValue,
  mac,
  machineName,
  memorySize,
  poolName,
  schematicId,
  startupOrder,
  storageName,
  taint,
  textOf,
  uuid,
  version,
  vlanId,
  vmid,
  vmidRange,
} from './values.js'

const volumeName = textOf('the name of a volume', 'longhorn', (text) => /^[a-z0-9-]{1,34}$/.test(text))

const extraDisk = z
  .union([
    diskSize,
    z.lazy(() =>
      z.strictObject({
        size: diskSize.describe('Size; a bare number is GiB.'),
        datastore: storageName.exactOptional().describe('Storage. Default: that of the system disk.'),
        volume: volumeName
          .exactOptional()
          .describe(
            'Talos user volume on this disk, mounted at `/var/mnt/NAME`. Without it, the disk is not formatted.',
          ),
      }),
    ),
  ])
  .transform((disk) => (typeof disk === 'number' ? { size: disk } : disk))

const disks = z.array(extraDisk).describe('Further disks: a size, or size, datastore and volume.')

const device = z
  .union([
    z.string().min(1),
    z.lazy(() =>
      z.strictObject({
        mapping: z.string().min(1).describe('Name of the PCI resource mapping in Proxmox.'),
        pcie: z.boolean().default(true).describe('Pass through as a PCI Express device; needs machine type q35.'),
      }),
    ),
  ])
  .transform((value) => (typeof value === 'string' ? { mapping: value, pcie: true } : value))
const devices = z.array(device).describe('PCI devices, by the name of their resource mapping.')

const cpu = cpuCount.describe('vCPUs.')
const ram = memorySize.describe('Memory; a bare number is MiB.')
const disk = diskSize.describe('System disk; a bare number is GiB.')

function sizingWith(defaults: { cpu: number; ram: string; disk: string }, what: string) {
  return z
    .strictObject({
      cpu: cpu.default(defaults.cpu),
      ram: ram.prefault(defaults.ram),
      disk: disk.prefault(defaults.disk),
      disks: disks.default([]),
    })
    .prefault({})
    .describe(what)
}

/** Default size of machines. */
export const sizing = z
  .strictObject({
    control_plane: sizingWith({ cpu: 4, ram: '8GiB', disk: '40GiB' }, 'Size of a control plane.'),
    worker: sizingWith({ cpu: 4, ram: '8GiB', disk: '60GiB' }, 'Size of a worker.'),
  })
  .prefault({})
  .describe('Default size of machines.')

const labels = z.record(labelKey, labelValue).describe('Node labels.')
const taints = z.array(taint).describe('Node taints.')
const extensions = z.array(extension).describe('System extensions, beside those of `talos.extensions`.')
const patches = z.array(patch).describe('Talos config patches: paths of files, or inline.')

/** How many machines, such as 2 or 25%. */
const share = z.union([z.int().min(0), textOf('a number or a share', '25%', (text) => /^([1-9]?\d|100)%$/.test(text))])

/** Workers of one kind. */
export const workerPool = z.lazy(() =>
  z
    .strictObject({
      name: poolName.describe('Name of the pool; machines are called CLUSTER-POOL-1 and so on.'),
      count: count.exactOptional().describe('Number of machines. Default: the number of `workers` of this pool.'),
      sizing: z
        .strictObject({
          cpu: cpu.exactOptional(),
          ram: ram.exactOptional(),
          disk: disk.exactOptional(),
          disks: disks.exactOptional(),
        })
        .prefault({})
        .describe('Size. Default: `sizing.worker`.'),
      offset: z
        .int()
        .min(0)
        .exactOptional()
        .describe(
          'Address of its first machine in `network.cidr`. Required if several pools have addresses by offset.',
        ),
      vm_ids: vmidRange.exactOptional().describe('VMID range. Default: that of the workers.'),
      labels: labels.default({}),
      taints: taints.default([]),
      extensions: extensions.default([]),
      devices: devices.default([]),
      patches: patches.default([]),
      anti_affinity: z
        .enum(['none', 'preferred', 'required'])
        .exactOptional()
        .describe('Default: `placement.anti_affinity`.'),
      max_unavailable: share
        .default(1)
        .describe('How many may be unavailable at once: a number or a percentage such as 25%.'),
      surge: share
        .default(0)
        .describe(
          'How many extra machines may exist while `ichor replace` replaces counted ones: a new one is Ready before an old one is removed.',
        ),
      protect: z.boolean().default(false).describe('Machines of this pool are never deleted or replaced.'),
    })
    .describe('Workers of one kind.'),
)

const vmOption = textOf('an option of a VM', 'bios', (text) => /^[a-z][a-z0-9]*$/.test(text))

const node = () =>
  z.strictObject({
    name: machineName.describe('Name of machine and node.'),
    ip: address
      .exactOptional()
      .describe('Address. Default: by offset in `network.cidr`. With DHCP: the address of its lease.'),
    ip6: address.exactOptional().describe('IPv6 address. Default: by offset in `network.ipv6.cidr`.'),
    cpu: cpu.exactOptional(),
    ram: ram.exactOptional(),
    disk: disk.exactOptional(),
    disks: disks.exactOptional(),
    host: hostName.exactOptional().describe('Host to run on.'),
    vmid: vmid.exactOptional().describe('VMID. Default: from `vm_ids`.'),
    mac: mac.exactOptional().describe('MAC of the first NIC. Default: derived from cluster and node name.'),
    uuid: uuid.exactOptional().describe('SMBIOS UUID. Default: derived from cluster and node name.'),
    nics: z
      .array(
        z.strictObject({ ip: address.exactOptional().describe('Address.'), mac: mac.exactOptional().describe('MAC.') }),
      )
      .exactOptional()
      .describe('Address and MAC of the NICs after the first, in the order of `network.nics`.'),
    labels: labels.exactOptional(),
    taints: taints.exactOptional(),
    devices: devices.exactOptional(),
    patches: patches.exactOptional(),
    protect: z.boolean().exactOptional().describe('Never deleted or replaced until this is removed.'),
    adopted: z
      .lazy(() =>
        z.strictObject({
          keep: z
            .array(vmOption)
            .default([])
            .describe('Options of its VM that stay as they are, such as `bios` or `net0`.'),
          unread: z
            .boolean()
            .exactOptional()
            .describe(
              'Its config was not read, because it was off: ichor does not change it. `ichor adopt --out DIR` with the folder of this inventory reads it.',
            ),
          runs: z
            .lazy(() =>
              z.strictObject({
                talos: version.exactOptional().describe('Talos version.'),
                schematic: schematicId.exactOptional().describe('Schematic of its image.'),
                kubernetes: version.exactOptional().describe('Kubernetes version.'),
              }),
            )
            .exactOptional()
            .describe(
              'What it runs in place of the versions of the inventory. `ichor upgrade` removes it and upgrades the machine.',
            ),
        }),
      )
      .exactOptional()
      .describe(
        'Written by `ichor adopt`: something else made this machine. Its network is configured by its patches alone, and `ichor up` takes its VM over once the node has shown its UUID.',
      ),
  })

/** Control planes by name. */
export const controlPlaneNodes = z.array(z.lazy(node)).default([]).describe('Control planes by name.')
/** Workers by name. */
export const workerNodes = z
  .array(
    z.lazy(() =>
      node()
        .extend({ pool: poolName.exactOptional().describe('Worker pool that it belongs to.') })
        .strict(),
    ),
  )
  .default([])
  .describe('Workers by name.')

const osTypes = [
  'other',
  'wxp',
  'w2k',
  'w2k3',
  'w2k8',
  'wvista',
  'win7',
  'win8',
  'win10',
  'win11',
  'l24',
  'l26',
  'solaris',
] as const

/** VMs that are not nodes. */
export const guests = z
  .array(
    z.lazy(() =>
      z.strictObject({
        name: machineName.describe('Name of the VM.'),
        cpu,
        ram,
        disk: disk.exactOptional().describe('System disk; a bare number is GiB.'),
        disks: disks.default([]),
        host: hostName.exactOptional().describe('Host that it runs on. Default: the only host of the inventory.'),
        vmid: vmid.exactOptional().describe('VMID.'),
        ip: address.exactOptional().describe('Address of the guest; not used for machines.'),
        bridge: bridgeName.exactOptional().describe('Bridge. Default: `proxmox.bridge`.'),
        vlan_id: vlanId.exactOptional().describe('VLAN tag.'),
        datastore: storageName.exactOptional().describe('Storage. Default: `proxmox.datastore`.'),
        iso: z.string().min(1).exactOptional().describe('Installation medium, such as `local:iso/truenas.iso`.'),
        devices: devices.default([]),
        onboot: z.boolean().default(true).describe('Start with the host.'),
        start: z.boolean().default(true).describe('Start after creation.'),
        startup: startupOrder.exactOptional().describe('Order and delays at host start.'),
        cpu_type: z.string().min(1).exactOptional().describe('CPU type. Default: `vm.cpu_type`.'),
        os_type: z.enum(osTypes).default('other').describe('OS type in Proxmox, such as `l26`.'),
        create: z
          .boolean()
          .default(false)
          .describe('Create it once, and never change or delete it afterwards. Otherwise it only reserves capacity.'),
      }),
    ),
  )
  .default([])
  .describe('VMs that are not nodes. They reserve capacity, or are created once and not changed afterwards.')
