import type { DesiredGuest } from '../desired/desired.js'
import type { World } from '../world.js'
import { defineStep, type StepContext } from './step.js'

/** A VM that is not a node, made once. It carries no mark: from now on it belongs to its owner and is never touched. */
export const makeGuest = defineStep<{ guest: string }>({
  kind: 'make-guest',
  title: ({ guest }, desired) => {
    const { vmid, host } = guestOf(desired, guest)
    return `create VM ${vmid} for the guest ${guest} on ${host}`
  },
  changes: true,
  disruptive: false,
  done: ({ guest }, world, context) => exists(guestOf(context.desired, guest), world, context),
  async run({ guest }, world, context) {
    const wanted = guestOf(context.desired, guest)
    context.assertLease()
    const task = await world.proxmox.machines.create(wanted, wanted.options, context.signal)
    await world.proxmox.tasks.wait(task, context.signal)
  },
  effect: ({ guest }, observed, desired) => {
    const { name, vmid, host, options } = guestOf(desired, guest)
    const made = {
      kind: 'qemu' as const,
      name,
      vmid,
      host,
      status: 'stopped' as const,
      template: false,
      cpus: Number(options.cores),
      memory: Number(options.memory) * 1024 ** 2,
      disk: 0,
      tags: [],
    }
    return { ...observed, proxmox: { ...observed.proxmox, guests: [...observed.proxmox.guests, made] } }
  },
})

function guestOf({ guestsToMake }: StepContext['desired'], name: string): DesiredGuest {
  const found = guestsToMake.find((guest) => guest.name === name)
  if (found === undefined) throw new Error(`no guest ${name} is wanted`)
  return found
}

async function exists(
  { name, vmid, host }: DesiredGuest,
  { proxmox }: World,
  { signal }: StepContext,
): Promise<boolean> {
  if ((await proxmox.machines.findConfig({ host, vmid }, signal)) !== undefined) return true
  const { guests } = await proxmox.cluster.resources(signal)
  return guests.some((guest) => guest.name === name || guest.vmid === vmid)
}
