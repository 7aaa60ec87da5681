import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import type { MachineService } from '../../../../wire/machine/machine_pb.js'
import type { InstalledSystem } from '../../disks/system-disk.js'
import { databaseFile } from '../../etcd/snapshot-file.js'
import { findMembership } from '../../machine/etcd-life.js'
import type { TalosMachine } from '../../machine/machine.js'
import { machineOf } from '../call-context.js'

/** META, and the few files that clients read from a node. */
export const fileHandlers = {
  metaWrite: ({ key, value }, context) => {
    const meta = metaOf(machineOf(context), key)
    meta[String(key)] = Buffer.from(value).toString('base64')
    return { messages: [{}] }
  },
  metaDelete: ({ key }, context) => {
    const meta = metaOf(machineOf(context), key)
    if (!(String(key) in meta)) throw new ConnectError('META key not found', Code.NotFound)
    delete meta[String(key)]
    return { messages: [{}] }
  },
  read: async function* ({ path }, context) {
    for (const bytes of contentOf(machineOf(context), path)) yield { bytes }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

function metaOf({ system }: TalosMachine, key: number): InstalledSystem['meta'] {
  if (key > 255) throw new ConnectError('key must fit into uint8', Code.InvalidArgument)
  if (system === undefined) throw new ConnectError('META partition is not available', Code.FailedPrecondition)
  return system.meta
}

function contentOf(machine: TalosMachine, path: string): Iterable<Uint8Array> {
  const files: Readonly<Record<string, () => Iterable<Uint8Array>>> = {
    '/proc/sys/kernel/random/boot_id': () => [Buffer.from(`${machine.bootId}\n`)],
    '/proc/net/snmp': () => [Buffer.from(networkCounters(machine))],
    '/proc/bus/pci/devices': () => [Buffer.from('')],
    '/etc/os-release': () => [Buffer.from(`NAME="Talos"\nID=talos\nVERSION_ID=${machine.asset?.talos ?? ''}\n`)],
    '/var/lib/etcd/member/snap/db': () => databaseOf(machine),
  }
  const content = files[path]?.()
  if (content === undefined) throw new ConnectError(`stat ${path}: no such file or directory`, Code.NotFound)
  return content
}

/** The raw database: a snapshot without the hash at its end. */
function databaseOf(machine: TalosMachine): Iterable<Uint8Array> {
  const membership = findMembership(machine)
  if (membership === undefined)
    throw new ConnectError('stat /var/lib/etcd/member/snap/db: no such file or directory', Code.NotFound)
  return databaseFile(membership.cluster)
}

/** Since its boot; of the protocols only UDP. */
function networkCounters({ fleet, bootedAt, corruptDatagrams }: TalosMachine): string {
  const received = Math.max(0, Math.floor((fleet.clock.now() - bootedAt) / 100))
  const counters = {
    InDatagrams: received,
    NoPorts: 0,
    InErrors: corruptDatagrams,
    OutDatagrams: received,
    RcvbufErrors: 0,
    SndbufErrors: 0,
    InCsumErrors: corruptDatagrams,
    IgnoredMulti: 0,
    MemErrors: 0,
  }
  return `Udp: ${Object.keys(counters).join(' ')}\nUdp: ${Object.values(counters).join(' ')}\n`
}
