import { marked } from '../machine/marked.js'
import { changeMachine } from '../machine/observed-change.js'
import { findOwned, type OwnedVm, setOwned } from '../machine/owned-vm.js'
import { isProtectedByUs, withoutProtection } from '../machine/protection.js'
import type { Mark } from '../ownership/mark.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

/** Removes the Proxmox protection that ichor has set, right before the deletion. */
export const unprotectVm = defineStep({
  kind: 'unprotect-vm',
  args: machineArgs,
  title: ({ machine }) => `remove the Proxmox protection of ${machine}`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned === undefined || !isOurs(owned)
  },
  async run({ machine }, world, context) {
    const change = (owned: OwnedVm) =>
      isOurs(owned) ? { protection: undefined, ...unmarked(owned.mark, owned, context) } : undefined
    await setOwned(machine, change, world, context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ options: { protection: _, ...options }, mark }) => ({
      options,
      mark: withoutProtection(mark),
    })),
})

function isOurs({ mark, config: { options } }: OwnedVm): boolean {
  return isProtectedByUs({ mark, options })
}

/** `destroy` also works without the secrets: then the mark stays unchanged and is deleted with the VM. */
function unmarked(mark: Mark, { config }: OwnedVm, { desired }: StepContext): { description?: string } {
  if (desired.cluster.sealer === undefined) return {}
  return { description: marked(config.options.description, withoutProtection(mark), desired) }
}
