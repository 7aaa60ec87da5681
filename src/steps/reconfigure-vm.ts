import { z } from 'zod'
import type { DesiredMachine } from '../desired/desired.js'
import { guardPause } from '../etcd/etcd-guards.js'
import type { Mark } from '../ownership/mark.js'
import { returnToHa } from '../vm/high-availability.js'
import { optionInputs } from '../vm/machine-parts.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, getOwned, setOwned } from '../vm/owned-vm.js'
import { hasPending } from '../vm/pending-options.js'
import { hasStatus, switchPower } from '../vm/switch-power.js'
import { changedOptions, removableKeys, type WrongOption, wrongOptions } from '../vm/vm-drift.js'
import { machineOf } from '../work/wanted-machine.js'
import { shutDown } from './shut-down.js'
import { defineStep } from './step.js'

/** Sets what differs from the spec on the VM. Tags, notes and disks of the user are kept. */
export const reconfigureVm = defineStep({
  kind: 'reconfigure-vm',
  args: z.strictObject({ machine: z.string(), keys: z.array(z.string()).readonly() }),
  title: ({ machine, keys }) => `set ${keys.join(', ')} of the VM of ${machine}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine, keys }, context) {
    const owned = await findOwned(machine, context)
    return (
      owned !== undefined &&
      wrongAmong(keys, machineOf(context.desired, machine), context.desired, owned.config.options).length === 0
    )
  },
  async run({ machine, keys }, context) {
    const wanted = machineOf(context.desired, machine)
    await setOwned(
      machine,
      ({ mark, config: { options } }) => {
        const wrong = wrongAmong(keys, wanted, context.desired, options)
        return {
          ...changedOptions(wrong),
          description: marked(options.description, reconfigured(mark, wanted, wrong), context.desired),
        }
      },
      context,
    )
  },
  inputs: ({ machine }, desired) => {
    const wanted = machineOf(desired, machine)
    const { isProtected } = wanted.machine
    return { known: () => ({ options: optionInputs(wanted), disks: wanted.disks, isProtected }) }
  },
  effect: ({ machine, keys }, model, desired) =>
    changeMachine(model, desired, machine, ({ options, status, pending, running }) => {
      const wrong = wrongAmong(keys, machineOf(desired, machine), desired, options, running)
      const cold = status === 'running' ? wrong.filter(({ needsRestart }) => needsRestart).map(({ key }) => key) : []
      const others = pending.filter((waiting) => !wrong.some(({ key }) => key === waiting))
      return { options: withOptions(options, wrong), pending: [...others, ...cold] }
    }),
})

/** Records what ichor has set, so that it can be removed when it is no longer wanted. */
function reconfigured(
  { more: { set: before, ...more } = {}, ...mark }: Mark,
  { spec, options }: DesiredMachine,
  wrong: readonly WrongOption[],
): Mark {
  const set = removableKeys(before, options, wrong)
  return { ...mark, spec, more: { ...more, ...(set === '' ? {} : { set }) } }
}

/** The shown keys that still differ. */
function wrongAmong(keys: readonly string[], ...facts: Parameters<typeof wrongOptions>): WrongOption[] {
  return wrongOptions(...facts).filter(({ key }) => keys.includes(key))
}

function withOptions(options: Readonly<Record<string, string>>, wrong: readonly WrongOption[]): Record<string, string> {
  const kept = Object.entries(options).filter(([key]) => !wrong.some((option) => option.key === key))
  const set = wrong.flatMap(({ key, wanted }) => (wanted === undefined ? [] : [[key, wanted]]))
  return Object.fromEntries([...kept, ...set])
}

/** Stop and start: pending changes take effect, which a reboot from inside does not do. */
export const restartVm = defineStep({
  kind: 'restart-vm',
  args: z.strictObject({ machine: z.string(), keys: z.array(z.string()).readonly() }),
  title: ({ machine, keys }) =>
    `restart ${machine} so that ${keys.join(', ')} ${keys.length === 1 ? 'takes' : 'take'} effect`,
  changes: true,
  disruptive: true,
  writesVm: true,
  // After a failed start nothing is pending, and the machine is off.
  done: async ({ machine, keys }, context) =>
    !(await hasPending(machine, keys, context)) && (await hasStatus(machine, 'running', context)),
  guard: ({ machine }, context) => guardPause(machine, context),
  async run({ machine }, context) {
    const withdrawn = await shutDown(machine, context)
    if (!(await hasStatus(machine, 'running', context))) {
      const owned = await getOwned(machine, context)
      context.assertLease()
      await switchPower(owned, 'running', context)
    }
    await returnToHa(withdrawn, context)
  },
  effect: ({ machine }, model, desired) => changeMachine(model, desired, machine, { pending: [] }),
})
