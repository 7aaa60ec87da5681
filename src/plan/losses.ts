import type { Observed, ObservedMachine } from '../observe/observed.js'
import { diskSize, diskVolume } from '../steps/disk-option.js'
import type { Plan, PlannedStep } from './plan.js'

/** Marks the steps after which data is gone for good. */
export function withLosses(steps: readonly PlannedStep[], observed: Observed): PlannedStep[] {
  return steps.map((step) => {
    const losesData = lossOf(step, observed)
    return losesData === undefined ? step : { ...step, losesData }
  })
}

/** What a plan would lose, in words. */
export function lossesOf({ steps }: Plan): string[] {
  return steps.flatMap(({ losesData }) => losesData ?? [])
}

function lossOf({ kind, args }: PlannedStep, { machines, kubernetes }: Observed): string | undefined {
  if (kind === 'remove-addon') {
    const addon = kubernetes?.addons.find(({ name }) => name === args.addon)
    return addon?.holdsData ? `everything that the addon ${addon.name} holds` : undefined
  }
  const machine = kind === 'delete-machine' ? machines.find(({ name }) => name === args.machine) : undefined
  const disks = machine === undefined ? [] : dataDisks(machine)
  return disks.length === 0 ? undefined : `${disks.join(', ')} of ${machine?.name}`
}

/** `disk scsi1 (100 GiB)`: every disk beside the system disk, attached or not. */
function dataDisks({ options }: ObservedMachine): string[] {
  return Object.entries(options)
    .filter(([slot]) => /^(scsi|virtio|sata|ide|unused)\d+$/.test(slot) && slot !== 'scsi0')
    .filter(([, option]) => !/(^|,)media=cdrom(,|$)/.test(option) && diskVolume(option) !== undefined)
    .map(([slot, option]) => `disk ${slot}${sizeInWords(diskSize(option))}`)
}

function sizeInWords(bytes: number | undefined): string {
  return bytes === undefined ? '' : ` (${Math.round(bytes / 1024 ** 3)} GiB)`
}
