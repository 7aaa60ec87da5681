import type { Desired } from '../desired/desired.js'
import type { Mark } from '../ownership/mark.js'
import { isRecorded, recordedKeys } from '../vm/key-record.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { getOwned, setOwned } from '../vm/owned-vm.js'
import { defineStep, machineArgs } from './step.js'

/** Before nodes get other keys: from then on, older secrets are refused. */
export const recordKeys = defineStep({
  kind: 'record-keys',
  args: machineArgs,
  title: ({ machine }) => `record the change of keys in the mark of ${machine}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  done: async ({ machine }, context) => isRecorded(await getOwned(machine, context), context.desired),
  async run({ machine }, context) {
    await setOwned(
      machine,
      ({ mark, config }) => ({
        description: marked(config.options.description, withKeys(mark, context.desired), context.desired),
      }),
      context,
    )
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: withKeys(mark, desired) })),
})

function withKeys(mark: Mark, desired: Desired): Mark {
  return { ...mark, more: { ...mark.more, ...recordedKeys(desired) } }
}
