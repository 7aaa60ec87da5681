import { z } from 'zod'
import { withBirth } from '../ownership/born.js'
import { optionText } from '../proxmox/model/option-text.js'
import { marked } from '../vm/marked.js'
import { loadedMedia, withoutMedia } from '../vm/media.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, type OptionChange, type OwnedVm, setOwned } from '../vm/owned-vm.js'
import { forgetSeeds, isSeedDisk, removeOwnSeeds } from '../vm/seed.js'
import { machineOf } from '../work/wanted-machine.js'
import { defineStep } from './step.js'

/**
 * The machine runs. Its seed, which holds the CA keys, is deleted with every upload of it, media are ejected, and only
 * then its mark changes to made. So a made machine never has a leftover seed, whenever a run was killed. From then on
 * it may start with its host.
 */
export const dropSeed = defineStep({
  kind: 'drop-seed',
  args: z.strictObject({ machine: z.string(), isNew: z.boolean() }),
  title: ({ machine, isNew }, { cluster: { delivery, boot } }) => {
    if (isNew && delivery === 'cidata') return `delete the seed of ${machine}`
    return isNew && boot !== 'iso' ? `note that ${machine} is made` : `eject the media of ${machine}`
  },
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    return owned?.mark.stage === 'made' && loadedMedia(owned.config.options).length === 0
  },
  async run({ machine, isNew }, context) {
    const { desired } = context
    const onboot = optionText(machineOf(desired, machine).options.onboot ?? false)
    const eject = ({ config: { options } }: OwnedVm) =>
      loadedMedia(options).length === 0 ? undefined : withoutMedia(options)
    const ejectFiles = (owned: OwnedVm) => (hasFiles(owned.config.options) ? eject(owned) : undefined)
    const makeMade = ({ mark, config }: OwnedVm) =>
      mark.stage === 'made'
        ? undefined
        : {
            onboot,
            description: marked(config.options.description, withBirth({ ...mark, stage: 'made' }, config), desired),
          }
    // A file is ejected before it is deleted. A seed that is a disk of the VM stays listed until it is deleted,
    // together with the mark.
    await setOwned(machine, ejectFiles, context, { deleteDisks: true })
    if (isNew) await removeOwnSeeds(machine, context)
    await setOwned(machine, (owned) => both(eject(owned), makeMade(owned)), context, { deleteDisks: true })
  },
  effect: ({ machine }, model, desired) => {
    changeMachine(model, desired, machine, ({ options, mark }) => ({
      options: withoutUndefined({
        ...options,
        ...withoutMedia(options),
        onboot: optionText(machineOf(desired, machine).options.onboot ?? false),
      }),
      mark: { ...mark, stage: 'made' },
    }))
    forgetSeeds(model, machine, desired)
  },
})

function hasFiles(options: Readonly<Record<string, string>>): boolean {
  return loadedMedia(options).some((slot) => !isSeedDisk(options[slot] ?? ''))
}

function both(one: OptionChange | undefined, other: OptionChange | undefined): OptionChange | undefined {
  return one === undefined && other === undefined ? undefined : { ...one, ...other }
}

function withoutUndefined(options: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}
