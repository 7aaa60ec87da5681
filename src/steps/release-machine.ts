import { readMark, withoutMark } from '../ownership/mark.js'
import { parseTags, writeTags } from '../proxmox/model/options/tags.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import { findOwned, type OptionChange, type OwnedVm, setOwned } from '../vm/owned-vm.js'
import { findSeen } from '../work/wanted-machine.js'
import { defineStep, machineArgs } from './step.js'

/** Takes our tags and the mark off a VM, which runs on. The notes around the mark stay. */
export const releaseMachine = defineStep({
  kind: 'release-machine',
  args: machineArgs,
  title: ({ machine }) => `take mark and tags off ${machine}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  inputs: ({ machine }, _desired, observed) => ({
    known: () => ({ vm: findSeen(observed, machine)?.vmid ?? null }),
  }),
  done: async ({ machine }, context) => (await findOwned(machine, context)) === undefined,
  async run({ machine }, context) {
    const ours = new Set(['ichor', ...context.desired.cluster.tags])
    const untagged = ({ config: { options } }: OwnedVm): OptionChange | undefined => {
      const there = parseTags(options.tags ?? '')
      const kept = there.filter((tag) => !ours.has(tag))
      if (kept.length === there.length) return undefined
      return { tags: kept.length === 0 ? undefined : writeTags(kept) }
    }
    try {
      await setOwned(machine, untagged, context)
    } catch (thrown) {
      if (!isProxmoxError(thrown, 'forbidden-tag')) throw thrown
      context.note(`this token may not remove the tags of ${machine}: they stay`)
    }
    // The mark goes last: without it the VM is not ours any more.
    await setOwned(machine, unmarked, context)
  },
  effect: ({ machine }, model) => {
    model.removeMachine(machine)
    model.change(({ templates }) => ({ templates: templates.filter(({ name }) => name !== machine) }))
  },
})

function unmarked({ config: { options } }: OwnedVm): OptionChange | undefined {
  if (readMark(options.description) === undefined) return undefined
  const notes = withoutMark(options.description ?? '')
  return { description: notes === '' ? undefined : notes }
}
