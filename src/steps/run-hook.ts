import { z } from 'zod'
import type { Desired, RollCommand } from '../desired/desired.js'
import { UserFacingError } from '../errors.js'
import { checkInWords, runCommand } from './roll-check.js'
import { defineStep } from './step.js'

const hookArgs = z.strictObject({ machine: z.string(), when: z.enum(['before', 'after']) })

class HookFailed extends UserFacingError {
  readonly code = 'hook-failed'
  readonly exitCode = 1
}

/** The user's commands around each machine, one after another. A run that was interrupted starts with the first again. */
export const runHook = defineStep({
  kind: 'run-hook',
  args: hookArgs,
  title: ({ machine, when }, desired) =>
    `run roll.${when} for ${machine}: ${commandsOf(when, desired).map(checkInWords).join('; ')}`,
  changes: false,
  disruptive: false,
  follows: true,
  inputs: ({ when }, desired) => ({
    known: () => ({ commands: commandsOf(when, desired), timeoutMs: desired.cluster.roll?.checkTimeoutMs }),
  }),
  done: async ({ when }, { desired }) => commandsOf(when, desired).length === 0,
  async run({ machine, when }, { desired, signal }) {
    const { name: cluster, roll } = desired.cluster
    const patience = AbortSignal.any([signal, AbortSignal.timeout(roll?.checkTimeoutMs ?? 0)])
    for (const command of commandsOf(when, desired)) {
      await runCommand(command, { cluster, machine }, patience).catch((thrown: Error) => {
        signal.throwIfAborted()
        throw new HookFailed(`roll.${when} failed for ${machine}: ${thrown.message}.`, {
          where: `roll.${when} in the inventory`,
          fix: 'Find out why the command fails. Run the same command again to continue.',
          cause: thrown,
        })
      })
    }
  },
  effect: () => undefined,
})

function commandsOf(when: 'before' | 'after', { cluster: { roll } }: Desired): readonly RollCommand[] {
  return roll?.hooks[when] ?? []
}
