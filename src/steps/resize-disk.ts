import { GiB } from '../cluster/machine.js'
import { diskSize } from './disk-option.js'
import { withMachine } from './observed-change.js'
import { findOwned, getOwned, machineOf } from './owned-vm.js'
import { defineStep } from './step.js'

/** Grows a disk to what is wanted: an imported image keeps its own small size. */
export const resizeDisk = defineStep<{ machine: string; slot: string }>({
  kind: 'resize-disk',
  title: ({ machine, slot }, desired) => {
    const size = machineOf(desired, machine).disks.find((disk) => disk.slot === slot)?.size ?? 0
    return `grow ${slot} of ${machine} to ${size / GiB} GiB`
  },
  changes: true,
  disruptive: false,
  async done({ machine, slot }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned !== undefined && isLargeEnough(owned.config.options[slot], wantedSize(machine, slot, context))
  },
  async run({ machine, slot }, world, context) {
    const owned = await getOwned(machine, world, context)
    context.assertLease()
    const size = wantedSize(machine, slot, context)
    const task = await world.proxmox.machines.resize(owned, slot, size, owned.config.digest, context.signal)
    await world.proxmox.tasks.wait(task, context.signal)
  },
  effect: ({ machine, slot }, observed, desired) =>
    withMachine(observed, desired, machine, ({ options }) => {
      const size = machineOf(desired, machine).disks.find((disk) => disk.slot === slot)?.size ?? 0
      return { options: { ...options, [slot]: `${(options[slot] ?? '').replace(/,size=[^,]*/, '')},size=${size}` } }
    }),
})

export function isLargeEnough(option: string | undefined, wanted: number): boolean {
  const size = diskSize(option)
  return size !== undefined && size >= wanted
}

function wantedSize(machine: string, slot: string, { desired }: { desired: Parameters<typeof machineOf>[0] }): number {
  return machineOf(desired, machine).disks.find((disk) => disk.slot === slot)?.size ?? 0
}
