import type { Mark } from '../ownership/mark.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, setOwned } from '../vm/owned-vm.js'
import { shutdownNote, withoutShutdownNote, withShutdownNote } from '../vm/shutdown-note.js'
import { shutDownForGood } from './shut-down.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

/**
 * With the whole cluster: its mark records it first, so that a machine that was shut down is not taken for one that
 * failed, and Proxmox HA leaves it off.
 */
export const shutDownMachine = defineStep({
  kind: 'shut-down-machine',
  args: machineArgs,
  title: ({ machine }) => `shut down ${machine}`,
  changes: true,
  disruptive: true,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    if (owned === undefined || shutdownNote(owned.mark) === undefined) return false
    const status = await context.proxmox.machines.findStatus(owned, context.signal)
    return status?.status === 'stopped' && !status.haManaged
  },
  async run({ machine }, context) {
    const at = new Date(context.clock.now()).toISOString()
    await writeMark(machine, (mark) => withShutdownNote(mark, at), context)
    await shutDownForGood(machine, context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({
      status: 'stopped',
      talos: { reach: 'off' },
      mark: withShutdownNote(mark, 'now'),
    })),
})

/** The machine was started again, by `up`, by its host or by hand. */
export const endShutdown = defineStep({
  kind: 'end-shutdown',
  args: machineArgs,
  title: ({ machine }) => `note that ${machine} is on again`,
  changes: true,
  disruptive: false,
  restores: true,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    return owned !== undefined && shutdownNote(owned.mark) === undefined
  },
  run: ({ machine }, context) => writeMark(machine, withoutShutdownNote, context),
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: withoutShutdownNote(mark) })),
})

async function writeMark(machine: string, change: (mark: Mark) => Mark, context: StepContext): Promise<void> {
  await setOwned(
    machine,
    ({ mark, config }) => ({ description: marked(config.options.description, change(mark), context.desired) }),
    context,
  )
}
