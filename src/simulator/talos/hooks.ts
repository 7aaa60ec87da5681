import { wipeDisk } from './disks/system-disk.js'
import { readdress, startMachine } from './machine/boot-sequence.js'
import { findMembership } from './machine/etcd-life.js'
import type { TalosMachine } from './machine/machine.js'

/** Troubles for one machine, by its VM's UUID. Each fails if no such machine is powered on. */
export interface Hooks {
  /** Accepts connections and never responds; its etcd and kubelet stop. */
  hang(uuid: string, isHung?: boolean): void
  /** Its clock is wrong by this many milliseconds. */
  clockSkew(uuid: string, ms: number): void
  /** Its API presents an expired certificate; `false` lets it issue a valid one. */
  expireCertificate(uuid: string, isExpired?: boolean): Promise<void>
  etcdAlarm(uuid: string, alarm: 'nospace' | 'corrupt' | 'none'): void
  /** Every etcd call through this node takes this much longer. */
  slowEtcd(uuid: string, modelMs: number): void
  /** Its member learns again, and never catches up. */
  demoteEtcd(uuid: string): void
  /** Its guest agent stops responding, although its service runs. */
  silenceAgent(uuid: string, isSilent?: boolean): void
  /** That many datagrams with a wrong checksum reach it. */
  corruptDatagrams(uuid: string, count: number): void
  /** Its etcd stops, and does not start again with its data. */
  corruptEtcd(uuid: string): void
  /** Its disks are wiped, as by another installer, and it starts over. */
  wipe(uuid: string): void
  /** Its NICs request DHCP leases again and use them. */
  renewLeases(uuid: string): Promise<void>
  /** Size of the etcd database in bytes beyond its objects. */
  growEtcd(uuid: string, bytes: number): void
  /** The boot loader uses the old slot at the next boot. */
  bootOldSlot(uuid: string): void
  /** An installer image that installs and then does not boot. */
  breakImage(reference: string): void
  /** Closes the API, as in the seconds of a boot; `false` opens it again. */
  closeApi(uuid: string, isClosed?: boolean): Promise<void>
}

export function hooksFor(machines: ReadonlySet<TalosMachine>, brokenImages: Set<string>): Hooks {
  const get = (uuid: string) => {
    const machine = [...machines].find(({ hardware }) => hardware.uuid.toLowerCase() === uuid.toLowerCase())
    if (machine === undefined) throw new Error(`No machine with the UUID ${uuid} has power in this lab.`)
    return machine
  }
  const etcdOf = (uuid: string) => {
    const membership = findMembership(get(uuid))
    if (membership === undefined) throw new Error(`The machine with the UUID ${uuid} is no member of an etcd.`)
    return membership
  }
  return {
    hang: (uuid, isHung = true) => {
      get(uuid).isHung = isHung
      get(uuid).record(isHung ? 'machine.hung' : 'machine.woke')
    },
    clockSkew: (uuid, ms) => {
      get(uuid).clockSkewMs = ms
      get(uuid).changed()
    },
    expireCertificate: async (uuid, isExpired = true) => {
      get(uuid).certificateIsExpired = isExpired
      await get(uuid).api.refresh()
    },
    etcdAlarm: (uuid, alarm) => {
      const { cluster, member } = etcdOf(uuid)
      if (alarm === 'none') cluster.alarms.delete(member)
      else cluster.alarms.set(member, alarm)
    },
    slowEtcd: (uuid, modelMs) => {
      const machine = get(uuid)
      machine.etcdDelayMs = modelMs
      if (modelMs > slowWriteMs) machine.services.log('etcd').write(slowWrite(machine.fleet.clock.now(), modelMs))
    },
    demoteEtcd: (uuid) => {
      const { cluster, member } = etcdOf(uuid)
      const demoted = cluster.members.get(member)
      if (demoted === undefined) return
      demoted.isLearner = true
      cluster.laggards.add(member)
    },
    silenceAgent: (uuid, isSilent = true) => {
      get(uuid).isAgentSilent = isSilent
    },
    corruptDatagrams: (uuid, count) => {
      get(uuid).corruptDatagrams += count
    },
    corruptEtcd: (uuid) => {
      const { cluster, member } = etcdOf(uuid)
      const ephemeral = get(uuid).system?.ephemeral
      if (ephemeral !== undefined) ephemeral.etcd = { cluster: cluster.id, member, isCorrupt: true }
      get(uuid).record('etcd.corrupted', { etcd: cluster.id, member })
    },
    wipe: (uuid) => {
      for (const disk of get(uuid).hardware.disks) wipeDisk(disk)
      get(uuid).record('machine.wiped', { partitions: 'all', userDisks: [] })
      startMachine(get(uuid), 'cold')
    },
    renewLeases: async (uuid) => {
      readdress(get(uuid))
      await get(uuid).api.refresh()
    },
    growEtcd: (uuid, bytes) => {
      etcdOf(uuid).cluster.extraSize = bytes
    },
    bootOldSlot: (uuid) => {
      get(uuid).distrustsNewSlot = true
    },
    breakImage: (reference) => void brokenImages.add(reference),
    closeApi: async (uuid, isClosed = true) => {
      const { api, facts } = get(uuid)
      if (isClosed) await api.close('at-once')
      else await api.open(facts === undefined ? 'maintenance' : 'secured')
    },
  }
}

/** etcd warns of every write to its log that takes longer. */
const slowWriteMs = 1000

function slowWrite(now: number, ms: number): string {
  const ts = new Date(now).toISOString()
  const took = `${ms / 1000}s`
  return JSON.stringify({
    level: 'warn',
    ts,
    caller: 'wal/wal.go:914',
    msg: 'slow fdatasync',
    took,
    'expected-duration': '1s',
  })
}
