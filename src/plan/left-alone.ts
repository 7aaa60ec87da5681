import { groupBy } from '../cluster/lookup.js'
import { GiB } from '../cluster/machine.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import { diskSize, diskVolume } from '../machine/disk-option.js'
import { findSeen } from '../machine/wanted-machine.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'

/** What the inventory says otherwise than it is, and nobody changes: who reads "nothing to do" must know. */
export function leftAlone(desired: Desired, { machines }: Observed): string[] {
  const pairs = desired.machines.flatMap((wanted) => {
    const seen = findSeen({ machines }, wanted.machine.name)
    return seen?.mark.stage === 'made' ? [{ wanted, seen }] : []
  })
  const all = pairs.flatMap(({ wanted, seen }) =>
    [...places(wanted, seen), ...images(wanted, seen, desired), ...disks(wanted, seen)].map((note) => ({
      note,
      name: wanted.machine.name,
    })),
  )
  const notes = groupBy(all, ({ note }) => note)
  return [...notes].map(([note, whose]) => `${whose.map(({ name }) => name).join(', ')}: ${note}`)
}

function places({ machine }: DesiredMachine, { host }: ObservedMachine): string[] {
  if (machine.host === undefined || machine.host === host) return []
  return [`on ${host}, and the inventory says ${machine.host}; machines that are made are not moved yet.`]
}

/** Another version is reported on its own; the same one with other extensions or kernel arguments is another image, too. */
function images({ image }: DesiredMachine, { mark }: ObservedMachine, { cluster }: Desired): string[] {
  const fileOf = (key: string) =>
    key
      .split('/')
      .at(-1)
      ?.replace(/\.(qcow2|iso)$/, '')
  if (mark.talos !== cluster.talosVersion || fileOf(mark.image) === fileOf(image)) return []
  return ['made from another image than new machines; what runs gets it with an upgrade, which is not built yet.']
}

function disks(wanted: DesiredMachine, { options }: ObservedMachine): string[] {
  const elsewhere = wanted.disks.flatMap(({ slot, datastore }) => {
    const storage = diskVolume(options[slot])?.split(':')[0]
    if (storage === undefined || storage === datastore) return []
    return [`disk ${slot} is on ${storage}, and the inventory says ${datastore}; disks are not moved.`]
  })
  const surplus = Object.entries(options)
    .filter(
      ([slot, option]) => option.includes(`serial=ichor-${slot}`) && !wanted.disks.some((disk) => disk.slot === slot),
    )
    .map(([slot, option]) => `disk ${slot}${sizeOf(option)} is not in the inventory; it may hold data, so it stays.`)
  return [...elsewhere, ...surplus]
}

function sizeOf(option: string): string {
  const bytes = diskSize(option)
  return bytes === undefined ? '' : ` (${bytes / GiB} GiB)`
}
