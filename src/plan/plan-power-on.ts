import type { Observed, ObservedMachine } from '../observe/observed.js'
import { awaitStorages, startGuest } from '../steps/guest-power.js'
import { startMachine } from '../steps/power.js'
import { endShutdown } from '../steps/shut-down-machine.js'
import { diskVolume } from '../vm/disk-option.js'
import { shutdownNote } from '../vm/shutdown-note.js'
import type { Draft, StepRef } from './draft.js'

/** The machines that `ichor shutdown` turned off, whether or not something has started them since. */
function shutDownMachines({ machines }: Pick<Observed, 'machines'>): readonly ObservedMachine[] {
  return machines.filter(({ mark }) => shutdownNote(mark) !== undefined)
}

/** After a shutdown, guests start before the machines, which may need their storage or their network. */
export function planGuestStarts(draft: Draft, observed: Observed): StepRef[] {
  const off = shutDownMachines(observed).filter(({ status }) => status === 'stopped')
  if (off.length === 0) return []
  const { guests } = observed.proxmox
  const stopped = draft.desired.guestsToMake.filter(
    ({ name, vmid, start }) =>
      start && guests.some((one) => one.name === name && one.vmid === vmid && one.status === 'stopped'),
  )
  const started = stopped.map(({ name: guest, vmid }) =>
    draft.add(startGuest, { guest, vmid }, 'machines may need what it serves'),
  )
  if (started.length === 0) return []
  const storages = [...new Set(off.flatMap(storagesOf))].sort()
  return [draft.add(awaitStorages, { storages }, 'disks of machines are there', started)]
}

/** What a machine that was shut down starts after: guests, and for a worker the control planes. */
export function beforePowerOn(draft: Draft, seen: ObservedMachine | undefined): StepRef[] {
  if (seen === undefined || shutdownNote(seen.mark) === undefined) return []
  const controlPlanes = seen.mark.role === 'worker' ? controlPlaneStarts(draft) : []
  return [...draft.refs(awaitStorages), ...controlPlanes]
}

/** Also for one that its host or a person has started. */
export function planShutdownEnds(draft: Draft, observed: Observed): void {
  for (const { name: machine, status } of shutDownMachines(observed)) {
    const started = draft.refIfPlanned(startMachine, { machine })
    if (started === undefined && status === 'stopped') continue
    draft.add(endShutdown, { machine }, 'the cluster is no longer shut down', [started])
  }
}

function controlPlaneStarts(draft: Draft): StepRef[] {
  return shutDownMachines(draft.observed).flatMap(({ name: machine, mark }) => {
    const started = mark.role === 'controlplane' ? draft.refIfPlanned(startMachine, { machine }) : undefined
    return started === undefined ? [] : [started]
  })
}

/** `ceph` of `ceph:vm-100-disk-0`. */
function storagesOf({ options }: ObservedMachine): string[] {
  return Object.entries(options).flatMap(([slot, option]) => {
    const volume = /^(scsi|virtio|sata|efidisk|tpmstate)\d+$/.test(slot) ? diskVolume(option) : undefined
    const storage = volume?.split(':')[0]
    return storage === undefined || storage === '' ? [] : [storage]
  })
}
