import { z } from 'zod'
import { GiB } from '../cluster/machine.js'
import { parseDisk, writeDisk } from '../proxmox/model/options/disk.js'
import { isLargeEnough } from '../vm/disk-option.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, getOwned } from '../vm/owned-vm.js'
import { machineOf } from '../work/wanted-machine.js'
import { defineStep } from './step.js'

/** Grows a disk to the wanted size: an imported image has its own, smaller size. */
export const resizeDisk = defineStep({
  kind: 'resize-disk',
  args: z.strictObject({ machine: z.string(), slot: z.string() }),
  title: ({ machine, slot }, desired) => {
    return `grow ${slot} of ${machine} to ${wantedSize(machine, slot, { desired }) / GiB} GiB`
  },
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine, slot }, context) {
    const owned = await findOwned(machine, context)
    return owned !== undefined && isLargeEnough(owned.config.options[slot], wantedSize(machine, slot, context))
  },
  async run({ machine, slot }, context) {
    const owned = await getOwned(machine, context)
    context.assertLease()
    const size = wantedSize(machine, slot, context)
    const task = await context.proxmox.machines.resize(owned, slot, size, owned.config.digest, context.signal)
    await context.proxmox.tasks.wait(task, context.signal)
  },
  inputs: ({ machine, slot }, desired) => ({ known: () => ({ size: wantedSize(machine, slot, { desired }) }) }),
  effect: ({ machine, slot }, model, desired) =>
    changeMachine(model, desired, machine, ({ options }) => {
      const size = wantedSize(machine, slot, { desired })
      return { options: { ...options, [slot]: writeDisk({ ...parseDisk(options[slot] ?? ''), size }) } }
    }),
})

function wantedSize(machine: string, slot: string, { desired }: { desired: Parameters<typeof machineOf>[0] }): number {
  return machineOf(desired, machine).disks.find((disk) => disk.slot === slot)?.size ?? 0
}
