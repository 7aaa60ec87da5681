import { writeMark } from '../ownership/mark.js'
import { diskVolume } from './disk-option.js'
import { withMachine } from './observed-change.js'
import { findOwned, machineOf, setOwned } from './owned-vm.js'
import { findSeeds, isSeedOf, removeSeeds } from './seed.js'
import { defineStep } from './step.js'

const drives = ['ide2', 'ide0'] as const

/** The machine runs: its config ISO holds the CA keys and goes, media are ejected, and the mark says that it is made. */
export const dropSeed = defineStep<{ machine: string; isNew: boolean }>({
  kind: 'drop-seed',
  title: ({ machine, isNew }, desired) =>
    isNew && desired.cluster.delivery === 'cidata'
      ? `take the config ISO of ${machine} away`
      : `eject the media of ${machine}`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    if (owned === undefined || owned.mark.stage !== 'made' || loaded(owned.config.options).length > 0) return false
    const { seedDatastore } = machineOf(context.desired, machine)
    return (await findSeeds(owned.host, seedDatastore, machine, world, context)).length === 0
  },
  async run({ machine }, world, context) {
    const { host } = await setOwned(
      machine,
      ({ mark, config: { options } }) => ({
        ...Object.fromEntries(loaded(options).map((drive) => [drive, 'none,media=cdrom'])),
        description: writeMark(options.description ?? '', { ...mark, stage: 'made' }),
      }),
      world,
      context,
    )
    await removeSeeds(host, machineOf(context.desired, machine).seedDatastore, machine, world, context)
  },
  effect: ({ machine }, observed, desired) => {
    const emptied = withMachine(observed, desired, machine, ({ options, mark }) => ({
      options: { ...options, ...Object.fromEntries(loaded(options).map((drive) => [drive, 'none,media=cdrom'])) },
      mark: { ...mark, stage: 'made' as const },
    }))
    const id = desired.cluster.id ?? ''
    const volumes = emptied.proxmox.volumes.filter(({ volid }) => !isSeedOf(volid, id, machine))
    return { ...emptied, proxmox: { ...emptied.proxmox, volumes } }
  },
})

/** CD drives of ours that hold something. */
export function loaded(options: Readonly<Record<string, string>>): (typeof drives)[number][] {
  return drives.filter(
    (drive) => diskVolume(options[drive]) !== undefined && (options[drive] ?? '').includes('media=cdrom'),
  )
}
