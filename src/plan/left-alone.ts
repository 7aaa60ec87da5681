import { versionsInWords } from '../cluster/held.js'
import { groupBy } from '../cluster/lookup.js'
import { GiB } from '../cluster/machine.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import type { Finding } from '../findings/finding.js'
import type { Note } from '../findings/notes/define-note.js'
import { pausedVm, surplusDisk, surplusHardware, unreadConfig } from '../findings/notes/machines.js'
import { notBackHome, otherHost, otherStorage } from '../findings/notes/placement.js'
import { keptVersion } from '../findings/notes/versions.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { parseDisk } from '../proxmox/model/options/disk.js'
import { isCrashed } from '../vm/crashed.js'
import { diskSize, diskVolume } from '../vm/disk-option.js'
import { findSeen } from '../work/wanted-machine.js'

/** A sentence without the names of the machines. */
interface Difference {
  readonly of: Note
  readonly text: string
  readonly cure?: string
  readonly command?: string
}

/** Differences from the inventory that ichor does not change. Reported so that "nothing to do" does not hide them. */
export function leftAlone(desired: Desired, { machines }: Observed): Finding[] {
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
    ].map((difference) => ({ difference, name: wanted.machine.name })),
  )
  return [...groupBy(all, ({ difference: { text, cure } }) => `${text} ${cure}`).values()].flatMap((whose) => {
    const [first] = whose
    if (first === undefined) return []
    const name = whose.map((one) => one.name).join(', ')
    const { of, text, ...cure } = first.difference
    return [of.note(`${name}: ${text}`, { subject: { kind: 'machine', name }, ...cure })]
  })
}

/** What stays as it was found, until a person asks for the rest. */
function adoption({ machine: { adopted } }: DesiredMachine): Difference[] {
  if (adopted?.unread === true)
    return [
      {
        of: unreadConfig,
        text: 'its config was not read when the cluster was adopted, and is not changed: ichor adopt --out with the folder of this inventory reads it.',
      },
    ]
  if (adopted?.runs === undefined) return []
  return [
    {
      of: keptVersion,
      text: `stays on ${versionsInWords(adopted.runs)}, which it ran when it was adopted: ichor upgrade brings it to the others.`,
    },
  ]
}

/** A crashed VM is started again. A VM that stopped for another reason needs a person to look at it. */
function halts({ talos, vmid }: ObservedMachine): Difference[] {
  if (talos.reach !== 'silent' || talos.halted === undefined || isCrashed(talos.halted)) return []
  return [
    {
      of: pausedVm,
      text: `VM ${vmid} is not running: Proxmox reports ${talos.halted}.`,
      cure: 'Check its storage, then resume it in Proxmox.',
    },
  ]
}

/** Hardware that a later change of `vm` would need and that Proxmox cannot change on an existing VM. */
function hardware({ options, tpm }: DesiredMachine, { options: actual }: ObservedMachine): Difference[] {
  const surplus = [
    ...(actual.serial0 === 'socket' && options.serial0 === undefined ? ['serial0 (vm.serial)'] : []),
    ...(actual.tpmstate0 !== undefined && tpm === undefined ? ['tpmstate0 (vm.tpm)'] : []),
  ]
  return surplus.map((what) => ({
    of: surplusHardware,
    text: `${what} is no longer in the inventory; it is kept until the machine is replaced.`,
  }))
}

function places({ machine }: DesiredMachine, { host }: ObservedMachine): Difference[] {
  if (machine.host === undefined || machine.host === host) return []
  return [
    { of: otherHost, text: `on ${host}, but the inventory has ${machine.host}; existing machines are not moved.` },
  ]
}

function homes({ home, host, moveTo }: DesiredMachine, evacuated: readonly string[]): Difference[] {
  if (home === undefined || home === host || moveTo !== undefined || evacuated.includes(home)) return []
  return [
    {
      of: notBackHome,
      text: `on ${host} since ${home} was evacuated; ${home} is not available, or has not enough capacity.`,
    },
  ]
}

function disks(wanted: DesiredMachine, { options }: ObservedMachine): Difference[] {
  const elsewhere = wanted.disks.flatMap(({ slot, datastore }) => {
    const storage = diskVolume(options[slot])?.split(':')[0]
    if (storage === undefined || storage === datastore) return []
    const text = `disk ${slot} is on ${storage}, but the inventory has ${datastore}; disks are not moved.`
    return [{ of: otherStorage, text }]
  })
  const surplus = Object.entries(options)
    .filter(
      ([slot, option]) =>
        parseDisk(option).serial === `ichor-${slot}` && !wanted.disks.some((disk) => disk.slot === slot),
    )
    .map(([slot, option]) => ({
      of: surplusDisk,
      text: `disk ${slot}${sizeOf(option)} is not in the inventory; it may contain data, so it is kept.`,
    }))
  return [...elsewhere, ...surplus]
}

function sizeOf(option: string): string {
  const bytes = diskSize(option)
  return bytes === undefined ? '' : ` (${bytes / GiB} GiB)`
}
