import type { AgentAnswer } from '../../src/simulator/guest.js'
import type { DatacentreState } from '../../src/simulator/proxmox/state.js'
import { addLeaseUsers } from './people.js'
import type { Exchange } from './recording.js'

/** A call that the recorder made without keeping it: later exchanges show what it did, task lists often the call itself. */
export interface Action {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly form?: Record<string, string>
  /** A form with a file. */
  readonly file?: readonly (readonly [string, string])[]
  /** The token that made it, where it was not the recorder's own; `root@pam` has a ticket. */
  readonly by?: string
}

const qemu = '/nodes/pve/qemu'

function create(vmid: number, options: Record<string, string> = {}, by?: string): Action {
  const form = { vmid: String(vmid), kvm: '0', memory: '128', ...options }
  return { method: 'POST', path: qemu, form, ...(by === undefined ? {} : { by }) }
}

function configure(vmid: number, form: Record<string, string>): Action {
  return { method: 'POST', path: `${qemu}/${vmid}/config`, form }
}

const start = (vmid: number): Action => ({ method: 'POST', path: `${qemu}/${vmid}/status/start` })
const stop = (vmid: number): Action => ({ method: 'POST', path: `${qemu}/${vmid}/status/stop` })
/** Whatever state it is in: how the recordings about leases end their stories. */
function clean(...vmids: number[]): Action[] {
  return vmids.flatMap((vmid) => [
    { ...stop(vmid), by: 'root@pam' },
    { method: 'DELETE', path: `${qemu}/${vmid}?skiplock=1`, by: 'root@pam' },
  ])
}

export const remove = (vmid: number): Action => ({ method: 'DELETE', path: `${qemu}/${vmid}?purge=1` })

function removeVolume(volid: string): Action {
  const storage = volid.split(':')[0] ?? ''
  return { method: 'DELETE', path: `/nodes/pve/storage/${storage}/content/${encodeURIComponent(volid)}` }
}

/** Machines of the recordings about leases: without disks, as their user makes them. */
function lease(vmid: number, options: Record<string, string> = {}): Action {
  const id = String(vmid)
  const form = {
    name: `lease-${id}`,
    description: 'lease=8f14e45f; owner=ci-17; do not edit \u2713',
    cores: '1',
    tags: 'lease;ci',
    net0: `virtio=BC:24:11:00:03:${id.slice(1)},bridge=vmbr0`,
    smbios1: `uuid=5f0c1c5e-aaaa-4bbb-8ccc-000000000${id}`,
    pool: 'leases',
    scsihw: 'virtio-scsi-single',
    ...options,
  }
  return create(vmid, form, 'lease@pve!tk')
}

const agentVms: readonly Action[] = [
  create(120, {
    name: 'guest',
    memory: '256',
    serial0: 'socket',
    agent: '1',
    scsi0: 'vmdata:1,format=qcow2',
    net0: 'virtio,bridge=vmbr0',
  }),
  { method: 'POST', path: qemu, form: { vmid: '122', name: 'nokvm', memory: '128' } },
]

/** The VMs of file 06 as file 07 finds them, for the version of which 06 was not recorded. */
const createdVms: readonly Action[] = [
  { method: 'POST', path: qemu, form: { vmid: '100' } },
  create(101, {
    name: 'talos-cp-1',
    ide2: 'local:iso/tiny.iso,media=cdrom',
    boot: 'order=scsi0;ide2;net0',
    serial0: 'socket',
    memory: '512',
    numa: '0',
    tags: 'alpha;beta;zeta',
    machine: 'q35',
    rng0: 'source=/dev/urandom',
    net0: 'virtio,bridge=vmbr0',
    sockets: '1',
    ostype: 'l26',
    balloon: '0',
    cores: '2',
    scsihw: 'virtio-scsi-single',
    bios: 'seabios',
    description: 'Line one\nLine two: \u00fcn\u00ef \u2713 100%',
    tablet: '0',
    cpu: 'x86-64-v2-AES',
    onboot: '1',
    agent: 'enabled=1',
    scsi0: 'vmdata:1,discard=on,iothread=1,ssd=1',
    vga: 'serial0',
  }),
  create(102, {
    name: 'json-vm',
    memory: '256',
    onboot: '1',
    scsi0: 'vmdata:1',
    net0: 'virtio=aa:bb:cc:dd:ee:01,bridge=vmbr0,firewall=1,tag=10',
  }),
  create(103, { name: 'imported', memory: '256', scsi0: 'vmdata:0,import-from=local:import/talos.qcow2' }),
]

const firmwareVm: Action = {
  method: 'POST',
  path: qemu,
  form: {
    vmid: '106',
    kvm: '0',
    machine: 'q35',
    bios: 'ovmf',
    efidisk0: 'vmdata:1,efitype=4m,pre-enrolled-keys=0',
    tpmstate0: 'vmdata:1,version=v2.0',
  },
}

const snapshotVm = create(142, { name: 'snap', scsi0: 'vmdata:1,format=qcow2', scsi1: 'vmdata:1' })

const rawTemplate: readonly Action[] = [
  create(139, { name: 'rawsrc', scsi0: 'vmdata:1' }),
  { method: 'POST', path: `${qemu}/139/template` },
  create(141, { name: 'nodisk' }),
]

/**
 * What was done without a recording of it, before the exchange with that title, or before the first one of a file.
 * Both versions have done it, unless one stands alone with its own file name.
 */
const actions: Readonly<Record<string, readonly Action[]>> = {
  '05-upload-order': [removeVolume('local:150/vm-150-disk-5.raw')],
  '06-qemu-create | VM list': [remove(110)],
  '08-qemu-lifecycle': [
    remove(106),
    ...agentVms,
    create(121, {
      name: 'noguest',
      agent: '1',
      scsi0: 'vmdata:1,format=qcow2',
      net0: 'virtio=BC:24:11:B3:F1:0D,bridge=vmbr0',
    }),
  ],
  '09-qemu-agent': [
    create(123, { name: 'noagent', agent: '1' }),
    create(124, { name: 'agentoff' }),
    start(124),
    start(120),
  ],
  '09-qemu-agent | agent configured but not answering: ping': [start(123)],
  '10-disk-resize-move': [
    create(130, {
      name: 'disks',
      ide2: 'local:iso/tiny.iso,media=cdrom',
      scsi0: 'vmdata:1,format=qcow2',
      scsi1: 'vmdata:1',
    }),
  ],
  '10-disk-resize-move | grow while running': [start(130)],
  '10-disk-resize-move | move disk to unknown storage': [stop(130)],
  '11-clone-template': [
    create(131, {
      name: 'src',
      description: 'source',
      onboot: '1',
      tags: 't1',
      net0: 'virtio=AA:BB:CC:00:00:01,bridge=vmbr0',
      scsi0: 'vmdata:1,format=qcow2',
    }),
  ],
  '11-clone-template | full clone of a running VM': [start(131)],
  '11-clone-template | convert to template': [stop(131)],
  '11-clone-template | delete template with linked clones': [stop(137)],
  '11-clone-template | delete template without clones': [remove(137)],
  '11-clone-template | config of raw template': rawTemplate,
  '12-snapshots': [snapshotVm],
  '12-snapshots | create snapshot': [configure(142, { delete: 'scsi1', force: '1' })],
  '12-snapshots | convert to template with snapshots': [stop(142)],
  '12-snapshots | resize with snapshot': [{ method: 'DELETE', path: `${qemu}/142/snapshot/s3` }],
  '13-tasks-migrate-backup': [stop(142)],
  '13-tasks-migrate-backup | long task again': [start(142)],
  '13-tasks-migrate-backup | migrate preconditions': [stop(142)],
  '15-pools | pool after VM delete': [remove(165)],
  '19-ha-live': [create(170, { name: 'havm' })],

  'pve9/07-qemu-config': [...createdVms, firmwareVm],
  'pve9/09-qemu-agent': [stop(123), start(120)],
  'pve9/12-snapshots | resize with snapshot': [
    { method: 'DELETE', path: `${qemu}/142/snapshot/s3` },
    { method: 'PUT', path: `${qemu}/142/config`, form: { lock: 'snapshot' }, by: 'root@pam' },
  ],
  'pve9/12-snapshots | convert to template with snapshots': [],
  'pve9/13-tasks-migrate-backup': [],
  'pve9/13-tasks-migrate-backup | long task again': [],
  'pve9/13-tasks-migrate-backup | migrate preconditions': [],
  'pve9/10-disk-resize-move': [
    remove(106),
    ...agentVms,
    create(123, { name: 'noagent', agent: '1' }),
    start(123),
    create(124, { name: 'agentoff' }),
    start(124),
    create(130, {
      name: 'disks',
      ide2: 'local:iso/tiny.iso,media=cdrom',
      scsi0: 'vmdata:1,format=qcow2',
      scsi1: 'vmdata:1',
    }),
  ],

  ...Object.fromEntries(
    [260, 261, 262, 263, 264, 265, 266, 267].map((vmid) => [
      `22-killed-workers | 2b POST config with a new CD drive and boot in one call, VM ${vmid}`,
      [lease(vmid)],
    ]),
  ),
  '22-killed-workers | 2b CD drive already there since create: POST config with disk and boot, try 0': [
    lease(268, { ide2: 'none,media=cdrom' }),
  ],
  '22-killed-workers | 3a killed qmcreate (4 GiB import): create': clean(203, 204, 211, 212, 214, 215, 216),
  '22-killed-workers | 3b killed qmconfig (4 GiB import): POST config': [...clean(223), lease(224)],
  '22-killed-workers | 3b2 killed qmconfig with several disks (two done, the large one being copied): POST config': [
    lease(270),
  ],
  '22-killed-workers | 3c killed qmclone (full, one disk) - source config': [configure(202, { delete: 'efidisk0' })],
  '22-killed-workers | 3c2 killed qmclone (full, second disk being copied): clone': [
    configure(202, { efidisk0: 'vmdata:1,efitype=4m' }),
    configure(202, { sata0: 'vmdata:0,import-from=local:import/disk.raw' }),
  ],
  '22-killed-workers | 3d killed qmdestroy (some disks removed) - storage content before': [lease(241, manyDisks(53))],
  '22-killed-workers | 3d2 killed qmdestroy (disks gone, config not yet): DELETE': [lease(242, manyDisks(2))],
  '22-killed-workers | 1 duration of a create without disks, try 0': clean(
    ...[251, 252, 260, 261, 262, 263, 264, 265, 266, 267, 268, 281, 299],
  ),
  '22-killed-workers | 3f task stopped through the API by its own token in the middle of qmcreate: create': clean(
    ...[301, 302, 303, 304, 308],
  ),
  '22-killed-workers | 6 create with vmgenid=0 by root ticket': clean(311, 313, 314),
  '22-killed-workers | 5 many long comments: pool big-0 with 500000 characters': clean(296, 297),
  '22-killed-workers | 7 long create by lease@pve!tk (no Sys.Audit)': [
    ...clean(294, 292, 293, 295),
    ...[296, 297, 298].map((vmid) => ({ ...stop(vmid), by: 'root@pam' })),
    ...clean(291),
  ],
  '22-killed-workers | 5 list after the long ones were removed': [
    { method: 'DELETE', path: '/pools?poolid=leases%2Fbig-0' },
    { method: 'DELETE', path: '/pools?poolid=leases%2Fbig-1' },
  ],
  '22-killed-workers | 5 create child pool, pool-level token': [
    { method: 'DELETE', path: '/pools?poolid=leases%2Fl-1' },
  ],
  '22-killed-workers | 5 DELETE pool with a VM': [lease(290, { pool: 'leases/lease-1' })],
  '22-killed-workers | 3h2 worker and its cp killed together, imgcopy - content after uploading a small file under the same name (overwritten without a question)':
    [
      {
        method: 'POST',
        path: '/nodes/pve/storage/local/upload',
        file: [
          ['content', 'iso'],
          ['filename', '@tiny.iso;filename=half.iso'],
        ],
      },
    ],
  '22-killed-workers | 5 GET child without rights, second look (user other@pve has no ACL at all)': [
    {
      method: 'PUT',
      path: '/access/acl',
      form: { path: '/pool/leases/lease-9', users: 'other@pve', roles: 'PVEPoolUser', delete: '1' },
    },
  ],
  '22-killed-workers | 3f3 task stopped through the API by its own token in the middle of qmconfig: POST config': [
    lease(313),
  ],
}

/** Before a file, or before an exchange of it. */
export function unrecordedBefore(pve: 8 | 9, name: string, title?: string): readonly Action[] {
  const key = title === undefined ? name : `${name} | ${title}`
  return (pve === 9 ? actions[`pve9/${key}`] : undefined) ?? actions[key] ?? []
}

function manyDisks(count: number): Record<string, string> {
  const keys = [
    ...Array.from({ length: 6 }, (_, i) => `sata${i}`),
    ...Array.from({ length: 31 }, (_, i) => `scsi${i}`),
    ...Array.from({ length: 16 }, (_, i) => `virtio${i}`),
  ]
  return Object.fromEntries(keys.slice(0, count).map((key) => [key, 'vmdata:0.01']))
}

/** Model milliseconds after its answer at which a worker died, where what it left tells that. */
export const deaths: Readonly<Record<string, number>> = {
  '3e killed imgcopy: upload of a 1.6 GB ISO': 30,
  '3e2 killed imgcopy while the checksum is computed: upload': 60,
  '3h2 worker and its cp killed together, imgcopy: upload': 200,
  '3h worker and its copy process killed together (as in a power loss), qmcreate: create': 500,
  '3i killed qmcreate of a VM without disks (killed as soon as the UPID was known), try 0: create': 500,
  '3i killed qmcreate of a VM without disks (killed as soon as the UPID was known), try 1: create': 110,
  '3i killed qmcreate of a VM without disks (killed as soon as the UPID was known), try 2: create': 0,
  '3d killed qmdestroy (some disks removed): DELETE': 323,
  '7 long create by lease@pve!tk (no Sys.Audit)': 500,
}

/** Model milliseconds that the recorder waited before it looked, where it looked at something that takes its time. */
export const pauses: Readonly<Record<string, number>> = {
  '3d2 killed qmdestroy (disks gone, config not yet) - before the kill: config': 1200,
  '3j killed qmcreate after the config was written, before the pool entry - before the kill: config, token with rights on /': 200,
  '3e killed imgcopy - before the kill: content': 130,
  'long task: shutdown timeout=60': 1500,
}

/** Whether another process held the lock of users, rights and pools then, as notes and titles say. */
export function isUserConfigHeld({ title, note }: Exchange): boolean {
  return (
    /lock of the user configuration was held/.test(note ?? '') ||
    /^3(d2|j) .* before the kill/.test(title) ||
    /^3j2 .*(: create|- task status)$/.test(title)
  )
}

/** Recorded orders in which a change handled its options: the original walks a hash. */
const optionOrders: Readonly<Record<number, readonly string[]>> = {
  201: ['scsi0', 'efidisk0'],
  202: ['scsi0', 'efidisk0', 'boot'],
  224: ['scsi0'],
  ...Object.fromEntries([260, 261, 262, 264].map((vmid) => [vmid, ['ide2', 'boot']])),
  ...Object.fromEntries([263, 265, 266, 267].map((vmid) => [vmid, ['boot', 'ide2']])),
  270: ['boot', 'virtio1', 'sata0', 'scsi0'],
}

export function recordedOrder(vmid: number, keys: readonly string[]): readonly string[] {
  const known = optionOrders[vmid] ?? []
  const place = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length)
  return [...keys].sort((a, b) => place(a) - place(b))
}

/** The agent of the guest that was recorded. */
export function recordedAgent(pve: 8 | 9): AgentAnswer {
  const [mac, linkLocal] =
    pve === 8 ? ['bc:24:11:e3:66:fc', 'fe80::be24:11ff:fee3:66fc'] : ['bc:24:11:1f:8d:49', 'fe80::be24:11ff:fe1f:8d49']
  const interfaces = [
    {
      name: 'lo',
      mac: '00:00:00:00:00:00',
      addresses: [
        { address: '127.0.0.1', prefix: 8 },
        { address: '::1', prefix: 128 },
      ],
    },
    {
      name: 'eth0',
      mac,
      addresses: [
        { address: '192.0.2.50', prefix: 24 },
        { address: linkLocal, prefix: 64 },
      ],
    },
  ]
  return { hostname: 'guest-vm', interfaces }
}

const GiB = 1024 ** 3

/** The recordings about leases were made an hour later, on a host that had been cleared, with users of their own. */
export function clearForLeases(state: DatacentreState): void {
  addLeaseUsers(state)
  state.pools = {}
  for (const poolid of ['leases', 'leases/l-1']) state.pools[poolid] = { poolid, vms: [], storages: [] }
  delete state.sections.ha
  state.vms = {}
  for (const [key, { volid }] of Object.entries(state.volumes))
    if (volid !== 'local:iso/tiny.iso') delete state.volumes[key]
  const volid = 'local:import/big.raw'
  state.volumes[`pve|${volid}`] = {
    volid,
    storage: 'local',
    host: 'pve',
    content: 'import',
    format: 'raw',
    size: 4 * GiB,
    used: 4 * GiB,
    ctime: 1,
    disk: {},
  }
}
