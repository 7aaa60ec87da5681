import { checkInWords, runRollCheck } from '../machine/roll-check.js'
import { waitUntil } from '../machine/wait-until.js'
import { defineStep, machineArgs } from './step.js'

/** The user's check: the next machine waits until it passes. */
export const checkRoll = defineStep({
  kind: 'check-roll',
  args: machineArgs,
  title: ({ machine }) => `run roll.check after ${machine}`,
  changes: false,
  disruptive: false,
  done: async (_args, _world, { desired }) => desired.cluster.roll?.check === undefined,
  async run({ machine }, world, context) {
    const { name: cluster, roll } = context.desired.cluster
    const check = roll?.check
    if (check === undefined) return
    await waitUntil(
      {
        forWhat: `roll.check (${checkInWords(check)}) to pass after ${machine}`,
        where: 'roll.check in the inventory',
        timeoutMs: roll?.checkTimeoutMs ?? 0,
        fewestQuestions: 1,
        intervalMs: 2000,
        fix: 'Find out why the check fails. Run the same command again to continue.',
      },
      async () => {
        await runRollCheck(check, { cluster, machine }, context.signal)
        return true
      },
      world,
      context,
    )
  },
  effect: () => undefined,
})
