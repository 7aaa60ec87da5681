import { groupBy } from '../cluster/lookup.js'
import { GiB } from '../cluster/machine.js'
import type { Desired, DesiredDisk } from '../desired/desired.js'
import type { Finding } from '../findings/finding.js'
import { largerDisk } from '../findings/notes/inventory.js'
import { shrinkingDisk } from '../findings/refusals/inventory.js'
import { fullStorage } from '../findings/refusals/placement.js'
import type { Observed } from '../observe/observed.js'
import { freeSpace } from '../proxmox/model/free-space.js'
import { diskSize } from '../vm/disk-option.js'
import { findIntent } from '../vm/intent.js'

/** Existing disks grow only if their storage has space. Placement checks the space for new machines. */
export function refuseGrowthWithoutSpace(desired: Desired, { proxmox, machines }: Observed): void {
  const growing = growthOf(desired, machines).filter(({ bytes }) => bytes > 0)
  if (growing.length === 0) return
  const byStorage = groupBy(growing, ({ disk }) => disk.datastore)
  const byHost = groupBy(growing, ({ disk, at }) => `${at}/${disk.datastore}`)
  for (const { host, storage, shared, total, ...space } of proxmox.storages) {
    const growth = (shared ? byStorage.get(storage) : byHost.get(`${host}/${storage}`)) ?? []
    const wanted = growth.reduce((sum, { bytes }) => sum + bytes, 0)
    const free = freeSpace({ total, ...space })
    if (wanted <= free || total === 0) continue
    const names = [...new Set(growth.map(({ machine }) => machine))].join(', ')
    throw fullStorage.refuse(
      `The disks of ${names} would grow by ${gib(wanted)}, and ${storage} on ${host} has ${gib(free)} left.`,
      {
        subject: { kind: 'storage', name: storage },
        where: `storage ${storage} on Proxmox host ${host}`,
        fix: 'Use a smaller disk, or free space on the storage.',
      },
    )
  }
}

/** Disks are never shrunk. Only a run that replaces machines may continue despite this difference. */
export function refuseShrink(desired: Desired, observed: Observed): void {
  if (observed.machines.some((machine) => findIntent('replace', desired, machine) !== undefined)) return
  const shrinking = shrinkingOf(desired, observed)
  if (shrinking.length === 0) return
  const names = [...new Set(shrinking.map(({ machine }) => machine))]
  const sizes = [...new Set(shrinking.map(({ disk, bytes }) => gib(disk.size - bytes)))].join(', ')
  throw shrinkingDisk.refuse(`${shrinking.map(inWords).join('\n')}\nDisks do not shrink.`, {
    subject: { kind: 'machine', name: names.join(', ') },
    where: 'the disks of the inventory',
    fix: `Restore the current sizes (${sizes}), or recreate the machines with smaller disks: ichor replace ${names.join(' ')}.`,
  })
}

/** Shrinks that a run that replaces machines leaves for the next run. */
export function shrinkNotes(desired: Desired, observed: Observed): Finding[] {
  return shrinkingOf(desired, observed).map((growth) =>
    largerDisk.note(`${inWords(growth)} Disks cannot shrink, so it is not changed.`, {
      subject: { kind: 'machine', name: growth.machine },
    }),
  )
}

function shrinkingOf(desired: Desired, { machines }: Observed): Growth[] {
  const staying = machines.filter((machine) => findIntent('replace', desired, machine) === undefined)
  return growthOf(desired, staying).filter(({ bytes }) => bytes < 0)
}

function inWords({ machine, disk, bytes }: Growth): string {
  return `Disk ${disk.slot} of ${machine} has ${gib(disk.size - bytes)}, but the inventory has ${gib(disk.size)}.`
}

interface Growth {
  readonly machine: string
  readonly at: string
  readonly disk: DesiredDisk
  /** Negative if the wanted size is smaller than the current size. */
  readonly bytes: number
}

function growthOf(desired: Desired, machines: Observed['machines']): Growth[] {
  const made = new Map(machines.filter(({ mark }) => mark.stage === 'made').map((machine) => [machine.name, machine]))
  return desired.machines.flatMap(({ machine: { name }, disks }) => {
    const seen = made.get(name)
    if (seen === undefined) return []
    return disks.map((disk) => ({
      machine: name,
      at: seen.host,
      disk,
      bytes: disk.size - (diskSize(seen.options[disk.slot]) ?? 0),
    }))
  })
}

function gib(bytes: number): string {
  return `${Math.round((bytes / GiB) * 10) / 10} GiB`
}
