import { z } from 'zod'
import type { DesiredGuest } from '../desired/desired.js'
import { guestOf } from '../vm/desired-parts.js'
import { settle } from '../vm/owned-vm.js'
import { defineStep, type StepContext } from './step.js'

/** A VM that is not a node, created once. It has no mark: from then on it belongs to the user and is never changed. */
export const makeGuest = defineStep({
  kind: 'make-guest',
  args: z.strictObject({ guest: z.string() }),
  title: ({ guest }, desired) => {
    const { vmid, host } = guestOf(desired, guest)
    return `create VM ${vmid} for the guest ${guest} on ${host}`
  },
  changes: true,
  disruptive: false,
  done: ({ guest }, context) => exists(guestOf(context.desired, guest), context),
  async run({ guest }, context) {
    const wanted = guestOf(context.desired, guest)
    context.assertLease()
    const options = { ...wanted.options, ...(wanted.start ? { start: true } : {}) }
    const task = await context.proxmox.machines.create(wanted, options, context.signal)
    await context.proxmox.tasks.wait(task, context.signal)
    // Proxmox starts it with a separate task, which outlives the first.
    if (wanted.start) await settle(wanted, context)
  },
  inputs: ({ guest }, desired) => {
    const { host, options, start } = guestOf(desired, guest)
    return { known: () => ({ host, options, start }) }
  },
  effect: ({ guest }, model, desired) => {
    const { name, vmid, host, options, start } = guestOf(desired, guest)
    const made = {
      kind: 'qemu' as const,
      name,
      vmid,
      host,
      status: start ? ('running' as const) : ('stopped' as const),
      template: false,
      cpus: Number(options.cores),
      memory: Number(options.memory) * 1024 ** 2,
      disk: 0,
      tags: [],
    }
    model.addGuest(made)
  },
})

async function exists({ name, vmid, host }: DesiredGuest, { proxmox, signal }: StepContext): Promise<boolean> {
  if ((await proxmox.machines.findConfig({ host, vmid }, signal)) !== undefined) return true
  const { guests } = await proxmox.cluster.resources(signal)
  return guests.some((guest) => guest.name === name || guest.vmid === vmid)
}
