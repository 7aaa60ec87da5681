import { waitUntil } from '../work/wait-until.js'
import { checkInWords, runRollCheck } from './roll-check.js'
import { defineStep, machineArgs } from './step.js'

/** The user's checks: the next machine waits until all of them pass. */
export const checkRoll = defineStep({
  kind: 'check-roll',
  args: machineArgs,
  title: ({ machine }, { cluster: { roll } }) =>
    `run roll.checks after ${machine}: ${(roll?.checks ?? []).map(checkInWords).join('; ')}`,
  changes: false,
  disruptive: false,
  inputs: (_args, { cluster: { roll } }) => ({
    known: () => ({ checks: roll?.checks, timeoutMs: roll?.checkTimeoutMs }),
  }),
  done: async (_args, { desired }) => (desired.cluster.roll?.checks ?? []).length === 0,
  async run({ machine }, context) {
    const { name: cluster, roll } = context.desired.cluster
    const checks = roll?.checks ?? []
    await waitUntil(
      {
        forWhat: `roll.checks (${checks.map(checkInWords).join('; ')}) to pass after ${machine}`,
        where: 'roll.checks in the inventory',
        timeoutMs: roll?.checkTimeoutMs ?? 0,
        minAttempts: 1,
        intervalMs: 2000,
        fix: 'Find out why the check fails. Run the same command again to continue.',
      },
      async () => {
        for (const check of checks) await runRollCheck(check, { cluster, machine }, context)
        return true
      },
      context,
    )
  },
  effect: () => undefined,
})
