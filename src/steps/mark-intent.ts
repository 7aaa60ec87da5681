import { z } from 'zod'
import { guardReplicas } from '../node/longhorn-replicas.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { getOwned, type OwnedVm, setOwned } from '../vm/owned-vm.js'
import { defineStep } from './step.js'

const words = { replace: 'replaced', reboot: 'rebooted' } as const

/** Written before anything else happens to the machine: if the run is interrupted, the next one continues from it. */
export const markIntent = defineStep({
  kind: 'mark-intent',
  args: z.strictObject({ machine: z.string(), intent: z.enum(['replace', 'reboot']), by: z.string() }),
  title: ({ machine, intent }) => `note on the VM of ${machine} that it is ${words[intent]}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  follows: true,
  done: async ({ machine, intent, by }, context) => (await getOwned(machine, context)).mark.more?.[intent] === by,
  async guard({ machine, intent }, context) {
    if (intent === 'replace') await guardReplicas(machine, context)
  },
  async run({ machine, intent, by }, context) {
    const noted = ({ mark, config }: OwnedVm) => ({
      description: marked(
        config.options.description,
        { ...mark, more: { ...mark.more, [intent]: by } },
        context.desired,
      ),
    })
    await setOwned(machine, noted, context)
  },
  effect: ({ machine, intent, by }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({
      mark: { ...mark, more: { ...mark.more, [intent]: by } },
    })),
})
