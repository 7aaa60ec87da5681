import { versionsInWords } from '../cluster/held.js'
import { groupBy } from '../cluster/lookup.js'
import { GiB } from '../cluster/machine.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { parseDisk } from '../proxmox/model/options/disk.js'
import { isCrashed } from '../vm/crashed.js'
import { diskSize, diskVolume } from '../vm/disk-option.js'
import { findSeen } from '../work/wanted-machine.js'

/** Differences from the inventory that ichor does not change. Reported so that "nothing to do" does not hide them. */
export function leftAlone(desired: Desired, { machines }: Observed): string[] {
  const evacuated = desired.cluster.evacuated ?? []
  const pairs = desired.machines.flatMap((wanted) => {
    const seen = findSeen({ machines }, wanted.machine.name)
    return seen?.mark.stage === 'made' ? [{ wanted, seen }] : []
  })
  const all = pairs.flatMap(({ wanted, seen }) =>
    [
      ...adoption(wanted),
      ...halts(seen),
      ...places(wanted, seen),
      ...homes(wanted, evacuated),
      ...disks(wanted, seen),
      ...hardware(wanted, seen),
    ].map((note) => ({
      note,
      name: wanted.machine.name,
    })),
  )
  const notes = groupBy(all, ({ note }) => note)
  return [...notes].map(([note, whose]) => `${whose.map(({ name }) => name).join(', ')}: ${note}`)
}

/** What stays as it was found, until a person asks for the rest. */
function adoption({ machine: { adopted } }: DesiredMachine): string[] {
  if (adopted?.unread === true)
    return [
      'its config was not read when the cluster was adopted, and is not changed: ichor adopt --out with the folder of this inventory reads it.',
    ]
  if (adopted?.runs === undefined) return []
  return [
    `stays on ${versionsInWords(adopted.runs)}, which it ran when it was adopted: ichor upgrade brings it to the others.`,
  ]
}

/** A crashed VM is started again. A VM that stopped for another reason needs a person to look at it. */
function halts({ talos, vmid }: ObservedMachine): string[] {
  if (talos.reach !== 'silent' || talos.halted === undefined || isCrashed(talos.halted)) return []
  return [`VM ${vmid} is not running: Proxmox reports ${talos.halted}. Check its storage, then resume it in Proxmox.`]
}

/** Hardware that a later change of `vm` would need and that Proxmox cannot change on an existing VM. */
function hardware({ options, tpm }: DesiredMachine, { options: actual }: ObservedMachine): string[] {
  const surplus = [
    ...(actual.serial0 === 'socket' && options.serial0 === undefined ? ['serial0 (vm.serial)'] : []),
    ...(actual.tpmstate0 !== undefined && tpm === undefined ? ['tpmstate0 (vm.tpm)'] : []),
  ]
  return surplus.map((what) => `${what} is no longer in the inventory; it is kept until the machine is replaced.`)
}

function places({ machine }: DesiredMachine, { host }: ObservedMachine): string[] {
  if (machine.host === undefined || machine.host === host) return []
  return [`on ${host}, but the inventory has ${machine.host}; existing machines are not moved.`]
}

function homes({ home, host, moveTo }: DesiredMachine, evacuated: readonly string[]): string[] {
  if (home === undefined || home === host || moveTo !== undefined || evacuated.includes(home)) return []
  return [`on ${host} since ${home} was evacuated; ${home} is not available, or has not enough capacity.`]
}

function disks(wanted: DesiredMachine, { options }: ObservedMachine): string[] {
  const elsewhere = wanted.disks.flatMap(({ slot, datastore }) => {
    const storage = diskVolume(options[slot])?.split(':')[0]
    if (storage === undefined || storage === datastore) return []
    return [`disk ${slot} is on ${storage}, but the inventory has ${datastore}; disks are not moved.`]
  })
  const surplus = Object.entries(options)
    .filter(
      ([slot, option]) =>
        parseDisk(option).serial === `ichor-${slot}` && !wanted.disks.some((disk) => disk.slot === slot),
    )
    .map(
      ([slot, option]) => `disk ${slot}${sizeOf(option)} is not in the inventory; it may contain data, so it is kept.`,
    )
  return [...elsewhere, ...surplus]
}

function sizeOf(option: string): string {
  const bytes = diskSize(option)
  return bytes === undefined ? '' : ` (${bytes / GiB} GiB)`
}
