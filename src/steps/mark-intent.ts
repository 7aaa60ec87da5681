import { z } from 'zod'
import { guardReplicas } from '../machine/longhorn-replicas.js'
import { marked } from '../machine/marked.js'
import { changeMachine } from '../machine/observed-change.js'
import { getOwned, type OwnedVm, setOwned } from '../machine/owned-vm.js'
import { defineStep } from './step.js'

const words = { replace: 'replaced', reboot: 'rebooted' } as const

/** Written before anything else happens to the machine: if the run is interrupted, the next one continues from it. */
export const markIntent = defineStep({
  kind: 'mark-intent',
  args: z.strictObject({ machine: z.string(), intent: z.enum(['replace', 'reboot']), by: z.string() }),
  title: ({ machine, intent }) => `note on the VM of ${machine} that it is ${words[intent]}`,
  changes: true,
  disruptive: false,
  done: async ({ machine, intent }, world, context) =>
    (await getOwned(machine, world, context)).mark.more?.[intent] !== undefined,
  async guard({ machine, intent }, world, context) {
    if (intent === 'replace') await guardReplicas(machine, world, context)
  },
  async run({ machine, intent, by }, world, context) {
    const noted = ({ mark, config }: OwnedVm) => ({
      description: marked(
        config.options.description,
        { ...mark, more: { ...mark.more, [intent]: by } },
        context.desired,
      ),
    })
    await setOwned(machine, noted, world, context)
  },
  effect: ({ machine, intent, by }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({
      mark: { ...mark, more: { ...mark.more, [intent]: by } },
    })),
})
