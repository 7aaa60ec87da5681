import type { AgentAnswer } from '../../src/simulator/guest.js'
import type { DatacentreState, VmState } from '../../src/simulator/proxmox/state.js'
import { addLeaseUsers } from './people.js'
import type { Exchange } from './recording.js'

type Edit = (state: DatacentreState, pve: 8 | 9) => void

const GiB = 1024 ** 3
const units: Record<string, number> = { K: 1024, M: 1024 ** 2, G: GiB }

/** A VM as it stood there, with a volume for each of its disks. */
function addVm(state: DatacentreState, vmid: number, config: Record<string, string>, running = false): void {
  const uuid = `00000000-0000-4000-8000-${String(vmid).padStart(12, '0')}`
  const vm: VmState = {
    vmid,
    host: 'pve',
    config: {
      boot: ' ',
      kvm: '0',
      memory: '128',
      meta: 'creation-qemu=7.2.22,ctime=1',
      smbios1: `uuid=${uuid}`,
      vmgenid: uuid,
      ...config,
    },
    pending: {},
    pendingDelete: {},
    snapshots: {},
    running,
    paused: false,
    pid: running ? 999 : 0,
    startedAt: 0,
    createdAt: 0,
    seenAt: 0,
  }
  state.vms[String(vmid)] = vm
  for (const value of Object.values(config)) addVolume(state, vmid, value)
}

function addVolume(state: DatacentreState, vmid: number, value: string): void {
  const [, volid, number = '1', unit = 'G'] =
    /^(vmdata:\d+\/(?:vm|base)-\d+-disk-\d+\.(?:raw|qcow2)).*size=(\d+)([KMG])/.exec(value) ?? []
  if (volid === undefined) return
  const format = volid.endsWith('.raw') ? 'raw' : 'qcow2'
  state.volumes[`pve|${volid}`] = {
    volid,
    storage: 'vmdata',
    host: 'pve',
    content: 'images',
    format,
    size: Number(number) * (units[unit] ?? 1),
    used: 331_776,
    ctime: 1,
    vmid,
    disk: {},
  }
}

function dropVm(state: DatacentreState, vmid: number): void {
  delete state.vms[String(vmid)]
  for (const [key, volume] of Object.entries(state.volumes)) if (volume.vmid === vmid) delete state.volumes[key]
}

function setRunning(vmid: number, running: boolean): Edit {
  return (state) => {
    const vm = state.vms[String(vmid)]
    if (vm !== undefined) Object.assign(vm, { running, paused: false, pid: running ? 999 : 0 })
  }
}

function dropFile(state: DatacentreState, volid: string): void {
  delete state.volumes[`pve|${volid}`]
}

/** The VMs of file 06 and the state of file 07, for the version of which 06 was not recorded. */
function createdVms(state: DatacentreState): void {
  addVm(state, 100, { memory: '512' })
  delete state.vms['100']?.config.memory
  delete state.vms['100']?.config.kvm
  addVm(state, 101, {
    ide2: 'local:iso/tiny.iso,media=cdrom,size=352K',
    boot: 'order=scsi0;ide2;net0',
    serial0: 'socket',
    memory: '512',
    numa: '0',
    tags: 'alpha;beta;zeta',
    machine: 'q35',
    name: 'talos-cp-1',
    rng0: 'source=/dev/urandom',
    net0: 'virtio=BC:24:11:11:E9:E4,bridge=vmbr0',
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
    scsi0: 'vmdata:101/vm-101-disk-0.raw,discard=on,iothread=1,size=1G,ssd=1',
    vga: 'serial0',
  })
  addVm(state, 102, {
    boot: 'order=scsi0;net0',
    memory: '256',
    name: 'json-vm',
    onboot: '1',
    scsi0: 'vmdata:102/vm-102-disk-0.raw,size=1G',
    net0: 'virtio=aa:bb:cc:dd:ee:01,bridge=vmbr0,firewall=1,tag=10',
  })
  addVm(state, 103, {
    name: 'imported',
    scsi0: 'vmdata:103/vm-103-disk-0.qcow2,size=16M',
    boot: 'order=scsi0',
    memory: '256',
  })
  const volid = 'vmdata:103/vm-103-disk-0.qcow2'
  state.volumes[`pve|${volid}`] = {
    volid,
    storage: 'vmdata',
    host: 'pve',
    content: 'images',
    format: 'qcow2',
    size: 16 * 1024 ** 2,
    used: 331_776,
    ctime: 1,
    vmid: 103,
    disk: {},
  }
  addVm(state, 106, {
    machine: 'q35',
    bios: 'ovmf',
    efidisk0: 'vmdata:106/vm-106-disk-0.raw,efitype=4m,pre-enrolled-keys=0,size=528K',
    tpmstate0: 'vmdata:106/vm-106-disk-1.raw,size=4M,version=v2.0',
  })
  delete state.vms['106']?.config.memory
}

function agentVms(state: DatacentreState): void {
  addVm(state, 120, {
    name: 'guest',
    memory: '256',
    serial0: 'socket',
    agent: '1',
    boot: 'order=scsi0;net0',
    scsi0: 'vmdata:120/vm-120-disk-0.qcow2,size=1G',
    net0: 'virtio=BC:24:11:00:01:20,bridge=vmbr0',
  })
  addVm(state, 122, { name: 'nokvm' })
  delete state.vms['122']?.config.kvm
}

/** What was done to the recorded host between two files and is not in any of them. */
export const setUps: Readonly<Record<string, Edit>> = {
  '05-upload-order': (state) => dropFile(state, 'local:150/vm-150-disk-5.raw'),
  '06-qemu-create': (state) => {
    for (const key of Object.keys(state.volumes))
      if (key.includes('vmdata:150/') || key.includes('local:150/')) delete state.volumes[key]
  },
  '07-qemu-config': (state, pve) => (pve === 9 ? createdVms(state) : dropVm(state, 110)),
  '08-qemu-lifecycle': (state) => {
    dropVm(state, 106)
    agentVms(state)
    addVm(state, 121, {
      name: 'noguest',
      agent: '1',
      boot: 'order=scsi0;net0',
      scsi0: 'vmdata:121/vm-121-disk-0.qcow2,size=1G',
      net0: 'virtio=BC:24:11:B3:F1:0D,bridge=vmbr0',
    })
  },
  '09-qemu-agent': (state, pve) => {
    if (pve === 9) {
      setRunning(123, false)(state, pve)
      setRunning(120, true)(state, pve)
      return
    }
    addVm(state, 123, { name: 'noagent', agent: '1' })
    addVm(state, 124, { name: 'agentoff' }, true)
    setRunning(120, true)(state, pve)
  },
  '10-disk-resize-move': (state, pve) => {
    if (pve === 9) {
      dropVm(state, 106)
      agentVms(state)
      addVm(state, 123, { name: 'noagent', agent: '1' }, true)
      addVm(state, 124, { name: 'agentoff' }, true)
    }
    addVm(state, 130, {
      name: 'disks',
      boot: 'order=scsi0;ide2',
      ide2: 'local:iso/tiny.iso,media=cdrom,size=352K',
      scsi0: 'vmdata:130/vm-130-disk-0.qcow2,size=1G',
      scsi1: 'vmdata:130/vm-130-disk-1.raw,size=1G',
    })
  },
  '11-clone-template': (state) => {
    setRunning(130, false)(state, 8)
    addVm(state, 131, {
      name: 'src',
      description: 'source',
      onboot: '1',
      tags: 't1',
      boot: 'order=scsi0;net0',
      net0: 'virtio=AA:BB:CC:00:00:01,bridge=vmbr0',
      scsi0: 'vmdata:131/vm-131-disk-0.qcow2,size=1G',
    })
  },
  '12-snapshots': (state) =>
    addVm(state, 142, {
      name: 'snap',
      boot: 'order=scsi0',
      scsi0: 'vmdata:142/vm-142-disk-0.qcow2,size=1G',
      scsi1: 'vmdata:142/vm-142-disk-1.raw,size=1G',
    }),
  '13-tasks-migrate-backup': setRunning(142, false),
  '19-ha-live': (state) => addVm(state, 170, { name: 'havm' }),
  '22-killed-workers': (state) => leaseSetUp(state),
}

/** What was done between two exchanges of a file: before the one with that title. */
const earlierInterludes: Readonly<Record<string, Edit>> = {
  '06-qemu-create | VM list': (state) => dropVm(state, 110),
  '09-qemu-agent | agent configured but not answering: ping': setRunning(123, true),
  '10-disk-resize-move | grow while running': setRunning(130, true),
  '10-disk-resize-move | move disk to unknown storage': setRunning(130, false),
  '11-clone-template | full clone of a running VM': setRunning(131, true),
  '11-clone-template | convert to template': setRunning(131, false),
  '11-clone-template | delete template without clones': (state) => dropVm(state, 137),
  '11-clone-template | config of raw template': (state) => {
    addVm(state, 139, {
      name: 'rawsrc',
      boot: 'order=scsi0',
      template: '1',
      scsi0: 'vmdata:139/base-139-disk-0.raw,size=1G',
    })
    addVm(state, 141, { name: 'nodisk' })
  },
  '12-snapshots | create snapshot': (state) => {
    delete state.vms['142']?.config.scsi1
    dropFile(state, 'vmdata:142/vm-142-disk-1.raw')
  },
  '12-snapshots | convert to template with snapshots': setRunning(142, false),
  '12-snapshots | delete missing snapshot': (state) => {
    delete state.vms['142']?.snapshots.s3
  },
  '13-tasks-migrate-backup | long task again': setRunning(142, true),
  '13-tasks-migrate-backup | migrate preconditions': setRunning(142, false),
  '15-pools | pool after VM delete': (state) => {
    dropVm(state, 165)
    for (const pool of Object.values(state.pools)) pool.vms = pool.vms.filter((vmid) => vmid !== 165)
  },
}

/** Machines that were there when their story begins. */
const leaseInterludes: Readonly<Record<string, Edit>> = {
  ...Object.fromEntries(
    [260, 261, 262, 263, 264, 265, 266, 267].map((vmid) => [
      `22-killed-workers | 2b POST config with a new CD drive and boot in one call, VM ${vmid}`,
      (state: DatacentreState) => addLease(state, vmid),
    ]),
  ),
  '22-killed-workers | 2b CD drive already there since create: POST config with disk and boot, try 0': (state) =>
    addLease(state, 268, { ide2: 'none,media=cdrom', boot: 'order=ide2;net0' }),
  '22-killed-workers | 3a killed qmcreate (4 GiB import): create': (state) => {
    for (const vmid of [
      203, 204, 211, 212, 214, 215, 216, 251, 252, 260, 261, 262, 263, 264, 265, 266, 267, 268, 301, 302, 303, 304,
    ])
      leave(state, vmid)
  },
  '22-killed-workers | 3b killed qmconfig (4 GiB import): POST config': (state) =>
    addLease(state, 224, { scsihw: 'virtio-scsi-single' }),
  '22-killed-workers | 3b2 killed qmconfig with several disks (two done, the large one being copied): POST config': (
    state,
  ) => addLease(state, 270, { scsihw: 'virtio-scsi-single' }),
  '22-killed-workers | 3c killed qmclone (full, one disk) - source config': (state) => {
    const vm = state.vms['202']
    if (vm === undefined) return
    vm.config.unused0 = 'vmdata:202/vm-202-disk-1.raw'
    delete vm.config.efidisk0
  },
  '22-killed-workers | 3c2 killed qmclone (full, second disk being copied): clone': (state) => {
    const vm = state.vms['202']
    if (vm !== undefined) vm.config.efidisk0 = 'vmdata:202/vm-202-disk-2.raw,efitype=4m,size=528K'
    addVolume(state, 202, 'vmdata:202/vm-202-disk-2.raw,efitype=4m,size=528K')
  },
  '22-killed-workers | 3d killed qmdestroy (some disks removed) - storage content before': (state) =>
    addLease(state, 241, { ...manyDisks(241, 53), boot: 'order=scsi0;net0' }),
  '22-killed-workers | 3d2 killed qmdestroy (disks gone, config not yet): DELETE': (state) =>
    addLease(state, 242, manyDisks(242, 2)),
  '22-killed-workers | 5 create child pool, pool-level token': (state) => {
    delete state.pools['leases/l-1']
  },
  '22-killed-workers | 5 DELETE pool with a VM': (state) => addLease(state, 290, {}, 'leases/lease-1'),
  '22-killed-workers | 3f3 task stopped through the API by its own token in the middle of qmconfig: POST config': (
    state,
  ) => addLease(state, 313, { scsihw: 'virtio-scsi-single' }),
}

/** A VM is removed with all that knows of it. */
function leave(state: DatacentreState, vmid: number): void {
  dropVm(state, vmid)
  for (const pool of Object.values(state.pools)) pool.vms = pool.vms.filter((member) => member !== vmid)
}

export const interludes: Readonly<Record<string, Edit>> = { ...earlierInterludes, ...leaseInterludes }

/** What was created anew had been removed before, without a recording of it. */
export function removalBefore({ request, response, title }: Exchange): Edit | undefined {
  if (request.method !== 'POST' || !request.path.endsWith('/nodes/pve/qemu') || typeof request.body !== 'string')
    return undefined
  const vmid = /(?:^|&)vmid=(\d+)/.exec(request.body)?.[1] ?? /"vmid": ?(\d+)/.exec(request.body)?.[1]
  const isParallel = /parallel/.test(title)
  if (vmid === undefined || isParallel || response.status !== 200) return undefined
  return (state) => {
    if (state.vms[vmid] !== undefined) dropVm(state, Number(vmid))
  }
}

/** The agent of the guest that was recorded. */
export const recordedAgent: AgentAnswer = {
  hostname: 'guest-vm',
  interfaces: [
    {
      name: 'lo',
      mac: '00:00:00:00:00:00',
      addresses: [
        { address: '127.0.0.1', prefix: 8 },
        { address: '::1', prefix: 128 },
      ],
    },
    { name: 'eth0', mac: 'bc:24:11:00:01:20', addresses: [] },
  ],
}

/** Machines without disks, as the lease user made them. */
function addLease(state: DatacentreState, vmid: number, more: Record<string, string> = {}, pool = 'leases'): void {
  const id = String(vmid)
  addVm(state, vmid, {
    name: `lease-${id}`,
    description: 'lease=8f14e45f; owner=ci-17; do not edit \u2713',
    boot: 'order=net0',
    cores: '1',
    tags: 'lease;ci',
    net0: `virtio=BC:24:11:00:03:${id.slice(1)},bridge=vmbr0`,
    smbios1: `uuid=5f0c1c5e-aaaa-4bbb-8ccc-000000000${id}`,
    ...more,
  })
  state.pools[pool]?.vms.push(vmid)
}

function manyDisks(vmid: number, count: number): Record<string, string> {
  const keys = [
    'sata0',
    'sata1',
    'sata2',
    'sata3',
    'sata4',
    'sata5',
    ...Array.from({ length: 31 }, (_, i) => `scsi${i}`),
    ...Array.from({ length: 16 }, (_, i) => `virtio${i}`),
  ]
    .sort()
    .slice(0, count)
  return Object.fromEntries(keys.map((key, i) => [key, `vmdata:${vmid}/vm-${vmid}-disk-${i}.raw,size=10486K`]))
}

function leaseSetUp(state: DatacentreState): void {
  addLeaseUsers(state)
  state.pools = {}
  for (const poolid of ['leases', 'leases/l-1']) state.pools[poolid] = { poolid, vms: [], storages: [] }
  delete state.sections.ha
  for (const vmid of Object.keys(state.vms)) dropVm(state, Number(vmid))
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
  for (const key of Object.keys(state.volumes)) if (/import\/(imp|talos)\./.test(key)) delete state.volumes[key]
}

/** Model milliseconds that the recorder waited before an exchange. */
export const pauses: Readonly<Record<string, number>> = {
  '19-ha-live | VM status after the CRM/LRM acted': 14_000,
  '19-ha-live | VM status later': 14_000,
}
