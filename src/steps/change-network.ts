import { z } from 'zod'
import type { Desired } from '../desired/desired.js'
import { getAddress } from '../node/node-address.js'
import { readTrial, withoutTrial } from '../trial/trial.js'
import { keepOptions, tryOptions, undoOptions } from '../trial/trial-options.js'
import { optionInputs } from '../vm/machine-parts.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned } from '../vm/owned-vm.js'
import { changedOptions, isNic, wrongOptions } from '../vm/vm-drift.js'
import { waitUntil } from '../work/wait-until.js'
import { machineOf } from '../work/wanted-machine.js'
import { defineStep, machineArgs, stepId } from './step.js'

/** How long a machine may be unreachable after its network has changed. */
const proofMs = 60_000
const kind = 'change-network'

/** Changes NICs of a running machine that responds. If it does not respond afterwards, the change is undone. */
export const changeNetwork = defineStep({
  kind,
  args: z.strictObject({ machine: z.string(), keys: z.array(z.string()).readonly() }),
  title: ({ machine, keys }) =>
    `set ${keys.join(', ')} of the VM of ${machine}, and revert it unless the machine responds`,
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    if (owned === undefined || readTrial(owned.mark) !== undefined) return false
    return wrongNics(machine, context.desired, owned.config.options).length === 0
  },
  run: (args, context) =>
    tryOptions(
      {
        machine: args.machine,
        step: stepId(kind, args),
        timeoutMs: proofMs,
        change: ({ config: { options } }) => changedOptions(wrongNics(args.machine, context.desired, options)),
      },
      context,
    ),
  trial: {
    async prove({ machine, keys }, context) {
      const { role } = machineOf(context.desired, machine).machine
      await waitUntil(
        {
          forWhat: `${machine} to answer with its new network`,
          where: `${keys.join(', ')} of the VM of ${machine}`,
          timeoutMs: proofMs,
          intervalMs: 1000,
          minAttempts: 5,
          fix: 'Check the bridge, the VLAN and the MTU in the inventory, and that this computer and the other nodes can reach that network.',
          machine,
        },
        async () => {
          const node = context.talos.node({ machine, address: await getAddress(machine, context) })
          if (role !== 'controlplane') return node.version(context.signal)
          const { leader } = await node.etcd.status(context.signal)
          return /^0*$/.test(leader) ? undefined : leader
        },
        context,
      )
    },
    keep: ({ machine }, context) => keepOptions(machine, machineOf(context.desired, machine).spec, context),
    undo: ({ machine }, context) => undoOptions(machine, context),
  },
  inputs: ({ machine }, desired) => ({ known: () => ({ options: optionInputs(machineOf(desired, machine)) }) }),
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ options }) => ({
      options: withOptions(options, changedOptions(wrongNics(machine, desired, options))),
    })),
})

/** Undoes a change that an interrupted run left unverified. */
export const undoTrial = defineStep({
  kind: 'undo-trial',
  args: machineArgs,
  title: ({ machine }) => `revert the unconfirmed change of the VM of ${machine}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    return owned !== undefined && readTrial(owned.mark) === undefined
  },
  async run({ machine }, context) {
    await undoOptions(machine, context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ options, mark }) => ({
      options: withOptions(options, readTrial(mark)?.before ?? {}),
      mark: withoutTrial(mark),
    })),
})

type Options = Readonly<Record<string, string>>

function wrongNics(machine: string, desired: Desired, options: Options) {
  return wrongOptions(machineOf(desired, machine), desired, options).filter(({ key }) => isNic(key))
}

function withOptions(options: Options, change: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const all = Object.entries({ ...options, ...change })
  return Object.fromEntries(all.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}
