import { waitUntil } from '../work/wait-until.js'
import { checkInWords, runRollCheck } from './roll-check.js'
import { defineStep, machineArgs } from './step.js'

/** The user's check: the next machine waits until it passes. */
export const checkRoll = defineStep({
  kind: 'check-roll',
  args: machineArgs,
  title: ({ machine }, { cluster: { roll } }) =>
    `run roll.check after ${machine}${roll?.check === undefined ? '' : `: ${checkInWords(roll.check)}`}`,
  changes: false,
  disruptive: false,
  inputs: (_args, { cluster: { roll } }) => ({
    known: () => ({ check: roll?.check, timeoutMs: roll?.checkTimeoutMs }),
  }),
  done: async (_args, { desired }) => desired.cluster.roll?.check === undefined,
  async run({ machine }, context) {
    const { name: cluster, roll } = context.desired.cluster
    const check = roll?.check
    if (check === undefined) return
    await waitUntil(
      {
        forWhat: `roll.check (${checkInWords(check)}) to pass after ${machine}`,
        where: 'roll.check in the inventory',
        timeoutMs: roll?.checkTimeoutMs ?? 0,
        minAttempts: 1,
        intervalMs: 2000,
        fix: 'Find out why the check fails. Run the same command again to continue.',
      },
      async () => {
        await runRollCheck(check, { cluster, machine }, context.signal)
        return true
      },
      context,
    )
  },
  effect: () => undefined,
})
