import { z } from 'zod'
import type { DesiredMachine } from '../desired/desired.js'
import { guardPause } from '../machine/etcd-guards.js'
import { returnToHa } from '../machine/high-availability.js'
import { optionInputs } from '../machine/machine-parts.js'
import { marked } from '../machine/marked.js'
import { changeMachine } from '../machine/observed-change.js'
import { findOwned, getOwned, setOwned } from '../machine/owned-vm.js'
import { hasPending } from '../machine/pending-options.js'
import { shutDown } from '../machine/shut-down.js'
import { hasStatus, switchPower } from '../machine/switch-power.js'
import { changedOptions, removableKeys, type WrongOption, wrongOptions } from '../machine/vm-drift.js'
import { machineOf } from '../machine/wanted-machine.js'
import type { Mark } from '../ownership/mark.js'
import { defineStep } from './step.js'

/** Sets what differs from the spec on the VM. Tags, notes and disks of the user are kept. */
export const reconfigureVm = defineStep({
  kind: 'reconfigure-vm',
  args: z.strictObject({ machine: z.string(), keys: z.array(z.string()).readonly() }),
  title: ({ machine, keys }) => `set ${keys.join(', ')} of the VM of ${machine}`,
  changes: true,
  disruptive: false,
  async done({ machine, keys }, world, context) {
    const owned = await findOwned(machine, world, context)
    return (
      owned !== undefined &&
      wrongAmong(keys, machineOf(context.desired, machine), context.desired, owned.config.options).length === 0
    )
  },
  async run({ machine, keys }, world, context) {
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
      world,
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
  // After a failed start nothing is pending, and the machine is off.
  done: async ({ machine, keys }, world, context) =>
    !(await hasPending(machine, keys, world, context)) && (await hasStatus(machine, 'running', world, context)),
  guard: ({ machine }, world, context) => guardPause(machine, world, context),
  async run({ machine }, world, context) {
    const withdrawn = await shutDown(machine, world, context)
    if (!(await hasStatus(machine, 'running', world, context))) {
      const owned = await getOwned(machine, world, context)
      context.assertLease()
      await switchPower(owned, 'running', world, context)
    }
    await returnToHa(withdrawn, world, context)
  },
  effect: ({ machine }, model, desired) => changeMachine(model, desired, machine, { pending: [] }),
})
