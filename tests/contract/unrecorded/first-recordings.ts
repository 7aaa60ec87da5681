import {
  type Action,
  asRoot,
  configure,
  create,
  createBare,
  qemu,
  remove,
  removeSnapshot,
  start,
  stop,
  type UnrecordedByFile,
} from './actions.js'

const agentVms: readonly Action[] = [
  create(120, {
    name: 'guest',
    memory: '256',
    serial0: 'socket',
    agent: '1',
    scsi0: 'vmdata:1,format=qcow2',
    net0: 'virtio,bridge=vmbr0',
  }),
  createBare(122, { name: 'nokvm', memory: '128' }),
]

const diskVm = create(130, {
  name: 'disks',
  ide2: 'local:iso/tiny.iso,media=cdrom',
  scsi0: 'vmdata:1,format=qcow2',
  scsi1: 'vmdata:1',
})

/** What both versions were made with. */
export const inBothVersions: UnrecordedByFile = {
  '06-qemu-create': [{ before: 'VM list', done: [remove(110)], shownBy: 'the list has no VM 110' }],
  '08-qemu-lifecycle': [
    {
      done: [
        remove(106),
        ...agentVms,
        create(121, {
          name: 'noguest',
          agent: '1',
          scsi0: 'vmdata:1,format=qcow2',
          net0: 'virtio=BC:24:11:B3:F1:0D,bridge=vmbr0',
        }),
      ],
      shownBy: 'the configurations of 120, 121 and 122 that are read, and lists without 106',
    },
  ],
  '09-qemu-agent': [
    {
      done: [create(123, { name: 'noagent', agent: '1' }), create(124, { name: 'agentoff' }), start(124), start(120)],
      shownBy: 'what is reported of the agents of 120, 123 and 124',
    },
    { before: 'agent configured but not answering: ping', done: [start(123)], shownBy: 'the VM runs from here on' },
  ],
  '10-disk-resize-move': [
    { done: [diskVm], shownBy: 'the configurations of 130 that are read' },
    { before: 'grow while running', done: [start(130)], shownBy: 'the title, and a log without the tool for files' },
    {
      before: 'move disk to unknown storage',
      done: [stop(130)],
      shownBy: 'moves of files, and lists with 130 stopped',
    },
  ],
  '11-clone-template': [
    {
      done: [
        create(131, {
          name: 'src',
          description: 'source',
          onboot: '1',
          tags: 't1',
          net0: 'virtio=AA:BB:CC:00:00:01,bridge=vmbr0',
          scsi0: 'vmdata:1,format=qcow2',
        }),
      ],
      shownBy: 'the configurations of its clones',
    },
    {
      before: 'full clone of a running VM',
      done: [start(131)],
      shownBy: 'the title, and a log that reports a mirror',
    },
    { before: 'convert to template', done: [stop(131)], shownBy: 'that it succeeds' },
    { before: 'delete template without clones', done: [stop(137), remove(137)], shownBy: 'the title' },
    {
      before: 'config of raw template',
      done: [
        create(139, { name: 'rawsrc', scsi0: 'vmdata:1' }),
        { method: 'POST', path: `${qemu}/139/template` },
        create(141, { name: 'nodisk' }),
      ],
      shownBy: 'the configurations of 139 and 141, and their places in the list of tasks',
    },
  ],
  '12-snapshots': [
    {
      done: [create(142, { name: 'snap', scsi0: 'vmdata:1,format=qcow2', scsi1: 'vmdata:1' })],
      shownBy: 'its configuration, and the list of tasks',
    },
    {
      before: 'create snapshot',
      done: [configure(142, { delete: 'scsi1', force: '1' })],
      shownBy: 'the configuration after it, and that the snapshot succeeds',
    },
    {
      before: 'resize with snapshot',
      done: [removeSnapshot(142, 's3')],
      shownBy: 'that there is no s3: making it, which is not authoritative, had failed',
    },
  ],
  '13-tasks-migrate-backup': [
    { done: [stop(142)], shownBy: 'the list of tasks' },
    { before: 'long task again', done: [start(142)], shownBy: 'that the task waits' },
    { before: 'migrate preconditions', done: [stop(142)], shownBy: 'the answer' },
  ],
  '15-pools': [{ before: 'pool after VM delete', done: [remove(165)], shownBy: 'the title' }],
  '19-ha-live': [{ done: [create(170, { name: 'havm' })], shownBy: 'that HA starts and stops it' }],
}

/** The VMs of file 06 as file 07 finds them: for 9, 06 was not recorded. */
const createdVms: readonly Action[] = [
  createBare(100),
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
  createBare(106, {
    kvm: '0',
    machine: 'q35',
    bios: 'ovmf',
    efidisk0: 'vmdata:1,efitype=4m,pre-enrolled-keys=0',
    tpmstate0: 'vmdata:1,version=v2.0',
  }),
]

/** What 9 was made with instead. */
export const inNine: UnrecordedByFile = {
  '07-qemu-config': [{ done: createdVms, shownBy: 'the configurations that are read, and the list' }],
  '09-qemu-agent': [
    { done: [stop(123), start(120)], shownBy: 'what is reported of their agents' },
    { before: 'agent configured but not answering: ping', done: [start(123)], shownBy: 'the VM runs from here on' },
  ],
  '10-disk-resize-move': [
    {
      done: [
        remove(106),
        ...agentVms,
        create(123, { name: 'noagent', agent: '1' }),
        start(123),
        create(124, { name: 'agentoff' }),
        start(124),
        diskVm,
      ],
      shownBy: 'the configurations of 130 that are read, and lists with the others and without 106',
    },
    { before: 'grow while running', done: [start(130)], shownBy: 'the title, and a log without the tool for files' },
    {
      before: 'move disk to unknown storage',
      done: [stop(130)],
      shownBy: 'moves of files, and lists with 130 stopped',
    },
  ],
  '12-snapshots': [
    {
      done: [create(142, { name: 'snap', scsi0: 'vmdata:1,format=qcow2', scsi1: 'vmdata:1' })],
      shownBy: 'its configuration, and the list of tasks',
    },
    {
      before: 'create snapshot',
      done: [configure(142, { delete: 'scsi1', force: '1' })],
      shownBy: 'the configuration after it, and that the snapshot succeeds',
    },
    {
      before: 'resize with snapshot',
      done: [
        removeSnapshot(142, 's3'),
        asRoot({ method: 'PUT', path: `${qemu}/142/config`, form: { lock: 'snapshot' } }),
      ],
      shownBy: 'lists in which it runs and is locked: making s3, which is not authoritative, had failed half-way',
    },
  ],
  '13-tasks-migrate-backup': [],
}
