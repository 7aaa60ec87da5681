import { z } from 'zod'
import type { Desired } from '../desired/desired.js'
import { optionInputs } from '../machine/machine-parts.js'
import { getAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { findOwned } from '../machine/owned-vm.js'
import { readTrial, withoutTrial } from '../machine/trial.js'
import { keepOptions, tryOptions, undoOptions } from '../machine/trial-options.js'
import { changedOptions, isNic, wrongOptions } from '../machine/vm-drift.js'
import { waitUntil } from '../machine/wait-until.js'
import { machineOf } from '../machine/wanted-machine.js'
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
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    if (owned === undefined || readTrial(owned.mark) !== undefined) return false
    return wrongNics(machine, context.desired, owned.config.options).length === 0
  },
  run: (args, world, context) =>
    tryOptions(
      {
        machine: args.machine,
        step: stepId(kind, args),
        timeoutMs: proofMs,
        change: ({ config: { options } }) => changedOptions(wrongNics(args.machine, context.desired, options)),
      },
      world,
      context,
    ),
  trial: {
    async prove({ machine, keys }, world, context) {
      const { role } = machineOf(context.desired, machine).machine
      await waitUntil(
        {
          forWhat: `${machine} to answer with its new network`,
          where: `${keys.join(', ')} of the VM of ${machine}`,
          timeoutMs: proofMs,
          intervalMs: 1000,
          fewestQuestions: 5,
          fix: 'Check the bridge, the VLAN and the MTU in the inventory, and that this computer and the other nodes can reach that network.',
          machine,
        },
        async () => {
          const node = world.talos.node({ machine, address: await getAddress(machine, world, context) })
          if (role !== 'controlplane') return node.version(context.signal)
          const { leader } = await node.etcd.status(context.signal)
          return /^0*$/.test(leader) ? undefined : leader
        },
        world,
        context,
      )
    },
    keep: ({ machine }, world, context) =>
      keepOptions(machine, machineOf(context.desired, machine).spec, world, context),
    undo: ({ machine }, world, context) => undoOptions(machine, world, context),
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
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned !== undefined && readTrial(owned.mark) === undefined
  },
  async run({ machine }, world, context) {
    await undoOptions(machine, world, context)
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
