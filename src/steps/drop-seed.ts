import { writeMark } from '../ownership/mark.js'
import type { VmOptions } from '../proxmox/client/port.js'
import { diskVolume } from './disk-option.js'
import { withMachine } from './observed-change.js'
import { findOwned, type OwnedVm, setOwned } from './owned-vm.js'
import { removeSeeds, withoutSeeds } from './seed.js'
import { defineStep } from './step.js'

const drives = ['ide2', 'ide0'] as const

/**
 * The machine runs: media are ejected, its config ISO, which holds the CA keys, is deleted, and only then its mark says that
 * it is made. So a made machine has left no seed behind, whenever a run was killed.
 */
export const dropSeed = defineStep<{ machine: string; isNew: boolean }>({
  kind: 'drop-seed',
  title: ({ machine, isNew }, { cluster: { delivery, boot } }) => {
    if (isNew && delivery === 'cidata') return `take the config ISO of ${machine} away`
    return isNew && boot !== 'iso' ? `write down that ${machine} is made` : `eject the media of ${machine}`
  },
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned?.mark.stage === 'made' && loaded(owned.config.options).length === 0
  },
  async run({ machine }, world, context) {
    const eject = ({ config: { options } }: OwnedVm) => (loaded(options).length === 0 ? undefined : emptied(options))
    const { host } = await setOwned(machine, eject, world, context)
    await removeSeeds(host, machine, world, context)
    await setOwned(machine, markMade, world, context)
  },
  effect: ({ machine }, observed, desired) =>
    withoutSeeds(
      withMachine(observed, desired, machine, ({ options, mark }) => ({
        options: { ...options, ...emptied(options) },
        mark: { ...mark, stage: 'made' as const },
      })),
      machine,
      desired,
    ),
})

function markMade({ mark, config: { options } }: OwnedVm): VmOptions | undefined {
  if (mark.stage === 'made') return undefined
  return { description: writeMark(options.description ?? '', { ...mark, stage: 'made' }) }
}

function emptied(options: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(loaded(options).map((drive) => [drive, 'none,media=cdrom']))
}

/** CD drives of ours that hold something. */
export function loaded(options: Readonly<Record<string, string>>): (typeof drives)[number][] {
  return drives.filter(
    (drive) => diskVolume(options[drive]) !== undefined && (options[drive] ?? '').includes('media=cdrom'),
  )
}
