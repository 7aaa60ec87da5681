import {
  type Action,
  asRoot,
  clean,
  configure,
  create,
  removePool,
  stop,
  type Unrecorded,
  type UnrecordedByFile,
} from './actions.js'

/** A machine without disks, as the user of these recordings makes them. */
function lease(vmid: number, options: Readonly<Record<string, string>> = {}): Action {
  const id = String(vmid)
  const machine = create(vmid, {
    name: `lease-${id}`,
    description: 'lease=8f14e45f; owner=ci-17; do not edit \u2713',
    cores: '1',
    tags: 'lease;ci',
    net0: `virtio=BC:24:11:00:03:${id.slice(1)},bridge=vmbr0`,
    smbios1: `uuid=5f0c1c5e-aaaa-4bbb-8ccc-000000000${id}`,
    pool: 'leases',
    scsihw: 'virtio-scsi-single',
    ...options,
  })
  return { ...machine, by: 'lease@pve!tk' }
}

const buses = { sata: 6, scsi: 31, virtio: 16 }

function withDisks(count: number): Record<string, string> {
  const keys = Object.entries(buses).flatMap(([bus, most]) => Array.from({ length: most }, (_, i) => `${bus}${i}`))
  return Object.fromEntries(keys.slice(0, count).map((key) => [key, 'vmdata:0.01']))
}

const itsConfiguration = 'its configuration, which is read later'
const membersOfThePool = 'the members of the pool, which are read later'

/** Machines that were there when their story begins. */
const beginnings: readonly Unrecorded[] = [
  ...[260, 261, 262, 263, 264, 265, 266, 267].map((vmid) => ({
    before: `2b POST config with a new CD drive and boot in one call, VM ${vmid}`,
    done: [lease(vmid)],
    shownBy: 'the call, and what was read back',
  })),
  {
    before: '2b CD drive already there since create: POST config with disk and boot, try 0',
    done: [lease(268, { ide2: 'none,media=cdrom' })],
    shownBy: 'the title',
  },
  {
    before: '3b killed qmconfig (4 GiB import): POST config',
    done: [...clean(223), lease(224)],
    shownBy: `${itsConfiguration}, and ${membersOfThePool}`,
  },
  {
    before: '3b2 killed qmconfig with several disks (two done, the large one being copied): POST config',
    done: [lease(270)],
    shownBy: itsConfiguration,
  },
  {
    before: '3c killed qmclone (full, one disk) - source config',
    done: [configure(202, { delete: 'efidisk0' })],
    shownBy: 'the answer',
  },
  {
    before: '3c2 killed qmclone (full, second disk being copied): clone',
    done: [
      configure(202, { efidisk0: 'vmdata:1,efitype=4m' }),
      configure(202, { sata0: 'vmdata:0,import-from=local:import/disk.raw' }),
    ],
    shownBy: 'the log of the clone, which names the disks of its source',
  },
  {
    before: '3d killed qmdestroy (some disks removed) - storage content before',
    done: [lease(241, withDisks(53))],
    shownBy: itsConfiguration,
  },
  {
    before: '3d2 killed qmdestroy (disks gone, config not yet): DELETE',
    done: [lease(242, withDisks(2))],
    shownBy: 'the title',
  },
  {
    before: '3f3 task stopped through the API by its own token in the middle of qmconfig: POST config',
    done: [lease(313)],
    shownBy: itsConfiguration,
  },
  {
    before:
      '3h2 worker and its cp killed together, imgcopy - content after uploading a small file under the same name (overwritten without a question)',
    done: [
      {
        method: 'POST',
        path: '/nodes/pve/storage/local/upload',
        file: [
          ['content', 'iso'],
          ['filename', '@tiny.iso;filename=half.iso'],
        ],
      },
    ],
    shownBy: 'the title',
  },
  {
    before: '5 DELETE pool with a VM',
    done: [lease(290, { pool: 'leases/lease-1' })],
    shownBy: 'the answer, and the list of tasks',
  },
]

/** What was removed when a story had ended. */
const endings: readonly Unrecorded[] = [
  {
    before: '3a killed qmcreate (4 GiB import): create',
    done: clean(203, 204, 211, 212, 214, 215, 216),
    shownBy: membersOfThePool,
  },
  {
    before: '5 create child pool, pool-level token',
    done: [removePool('leases/l-1')],
    shownBy: 'the list of pools',
  },
  {
    before: '7 long create by lease@pve!tk (no Sys.Audit)',
    done: [...clean(294, 292, 293, 295), ...[296, 297, 298].map((vmid) => asRoot(stop(vmid))), ...clean(291)],
    shownBy: 'the list of tasks, which has every one of these calls',
  },
  {
    before: '1 duration of a create without disks, try 0',
    done: clean(...[251, 252, 260, 261, 262, 263, 264, 265, 266, 267, 268, 281, 299]),
    shownBy: membersOfThePool,
  },
  {
    before: '3f task stopped through the API by its own token in the middle of qmcreate: create',
    done: clean(301, 302, 303, 304, 308),
    shownBy: membersOfThePool,
  },
  { before: '6 create with vmgenid=0 by root ticket', done: clean(311, 313, 314), shownBy: membersOfThePool },
  {
    before: '5 many long comments: pool big-0 with 500000 characters',
    done: clean(296, 297),
    shownBy: membersOfThePool,
  },
  {
    before: '5 list after the long ones were removed',
    done: [removePool('leases/big-0'), removePool('leases/big-1')],
    shownBy: 'the title',
  },
  {
    before: '5 GET child without rights, second look (user other@pve has no ACL at all)',
    done: [
      {
        method: 'PUT',
        path: '/access/acl',
        form: { path: '/pool/leases/lease-9', users: 'other@pve', roles: 'PVEPoolUser', delete: '1' },
      },
    ],
    shownBy: 'the title',
  },
]

export const ofLeases: UnrecordedByFile = { '22-killed-workers': [...endings, ...beginnings] }
