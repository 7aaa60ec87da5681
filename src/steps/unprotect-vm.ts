import type { Mark } from '../ownership/mark.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, type OwnedVm, setOwned } from '../vm/owned-vm.js'
import { isProtectedByUs, withoutProtection } from '../vm/protection.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

/** Removes the Proxmox protection that ichor has set, right before the deletion. */
export const unprotectVm = defineStep({
  kind: 'unprotect-vm',
  args: machineArgs,
  title: ({ machine }) => `remove the Proxmox protection of ${machine}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    return owned === undefined || !isOurs(owned)
  },
  async run({ machine }, context) {
    const change = (owned: OwnedVm) =>
      isOurs(owned) ? { protection: undefined, ...unmarked(owned.mark, owned, context) } : undefined
    await setOwned(machine, change, context)
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
