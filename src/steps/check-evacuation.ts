import { z } from 'zod'
import { assertEvacuable } from '../capabilities/evacuation/evacuation.js'
import type { Machine } from '../cluster/machine.js'
import { guardPause } from '../etcd/etcd-guards.js'
import { findSeen } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'
import { defineStep } from './step.js'

/** Before the first machine leaves a host: none of them needs anything that stays there, and all of them can move. */
export const checkEvacuation = defineStep({
  kind: 'check-evacuation',
  args: z.strictObject({ host: z.string() }),
  title: ({ host }) => `check that machines can leave ${host}`,
  changes: false,
  disruptive: false,
  done: async () => false,
  async guard({ host }, context) {
    await assertEvacuable(host, context)
    // A control plane that is off starts first; etcd is asked again before each other one moves.
    if (context.desired.machines.some(({ machine }) => isOff(machine, context))) return
    for (const { machine, host: at, moveTo } of context.desired.machines)
      if (at === host && moveTo !== undefined) await guardPause(machine.name, context)
  },
  run: async () => undefined,
  effect: () => undefined,
})

function isOff({ name, role }: Machine, { observed }: WorkContext): boolean {
  return role === 'controlplane' && findSeen(observed, name)?.status === 'stopped'
}
