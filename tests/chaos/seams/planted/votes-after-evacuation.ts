import { z } from 'zod'
import { assertEvacuable } from '../../../../src/capabilities/evacuation/evacuation.js'
import { guardPause } from '../../../../src/etcd/etcd-guards.js'
import { defineStep } from '../../../../src/steps/step.js'

/** etcd is asked while the machines that it needs wait for the answer. */
export const checkEvacuation = defineStep({
  kind: 'check-evacuation',
  args: z.strictObject({ host: z.string() }),
  title: ({ host }) => `check that machines can leave ${host}`,
  changes: false,
  disruptive: false,
  done: async () => false,
  async guard({ host }, context) {
    await assertEvacuable(host, context)
    for (const { machine, host: at, moveTo } of context.desired.machines)
      if (at === host && moveTo !== undefined) await guardPause(machine.name, context)
  },
  run: async () => undefined,
  effect: () => undefined,
})
