import { z } from 'zod'
import { guestStillRuns } from '../findings/refusals/machines.js'
import type { GuestResource } from '../proxmox/client/port.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep, type StepContext } from './step.js'

const minute = 60_000

const guestArgs = z.strictObject({ guest: z.string(), vmid: z.number().int() })
type GuestArgs = z.infer<typeof guestArgs>

/** A guest has no mark: it is the VM that has both its name and its VMID. */
export const startGuest = defineStep({
  kind: 'start-guest',
  args: guestArgs,
  title: ({ guest, vmid }) => `start the guest ${guest} (VM ${vmid})`,
  changes: true,
  disruptive: false,
  done: async (args, context) => (await findGuest(args, context))?.status === 'running',
  async run(args, context) {
    const { machines, tasks } = context.proxmox
    const found = await getGuest(args, context)
    context.assertLease()
    await tasks.wait(await machines.start(found, context.signal), context.signal)
    await awaitPower(args, 'running', 'Look at its console in Proxmox.', context)
  },
  effect: ({ vmid }, model) => model.setGuestStatus(vmid, 'running'),
})

/** By its own shutdown: its power is never cut. */
export const shutDownGuest = defineStep({
  kind: 'shut-down-guest',
  args: guestArgs,
  title: ({ guest, vmid }) => `shut down the guest ${guest} (VM ${vmid})`,
  changes: true,
  disruptive: true,
  done: async (args, context) => (await findGuest(args, context))?.status === 'stopped',
  async run(args, context) {
    const { machines, tasks } = context.proxmox
    const found = await getGuest(args, context)
    context.assertLease()
    const fix = `Shut ${args.guest} down from inside, then run ichor shutdown --guests again. Its power is not cut.`
    await tasks.wait(await machines.shutdown(found, context.signal), context.signal).catch((thrown: unknown) => {
      if (!isProxmoxError(thrown, 'timed-out')) throw thrown
      throw guestStillRuns.refuse(`${args.guest} did not shut down when Proxmox asked it to.`, {
        subject: { kind: 'object', name: args.guest },
        where: `VM ${args.vmid}`,
        fix,
        cause: thrown,
      })
    })
    await awaitPower(args, 'stopped', fix, context)
  },
  effect: ({ vmid }, model) => model.setGuestStatus(vmid, 'stopped'),
})

/** A guest may serve the storage that disks of machines are on. */
export const awaitStorages = defineStep({
  kind: 'await-storages',
  args: z.strictObject({ storages: z.array(z.string()) }),
  title: ({ storages }) => `wait for ${storages.join(', ')} to be available`,
  changes: false,
  disruptive: false,
  done: async ({ storages }, context) => (await missing(storages, context)).length === 0,
  async run({ storages }, context) {
    await waitUntil(
      {
        forWhat: `${storages.join(', ')} to be available in Proxmox`,
        where: 'Proxmox storages',
        timeoutMs: 15 * minute,
        intervalMs: 2000,
        fix: 'Look at the guest that serves it, and at Datacenter > Storage in Proxmox. Then run the command again.',
      },
      async () => ((await missing(storages, context)).length === 0 ? true : undefined),
      context,
    )
  },
  effect: () => undefined,
})

/** With its status of now: the list is a few seconds old. */
async function findGuest(args: GuestArgs, context: StepContext): Promise<GuestResource | undefined> {
  const listed = await findListed(args, context)
  if (listed === undefined) return undefined
  const status = await context.proxmox.machines.findStatus(listed, context.signal)
  return status === undefined ? listed : { ...listed, status: status.status }
}

async function findListed(
  { guest, vmid }: GuestArgs,
  { proxmox, signal }: StepContext,
): Promise<GuestResource | undefined> {
  const { guests } = await proxmox.cluster.resources(signal)
  return guests.find((one) => one.kind === 'qemu' && one.vmid === vmid && one.name === guest)
}

async function getGuest(args: GuestArgs, context: StepContext): Promise<GuestResource> {
  const found = await findGuest(args, context)
  if (found === undefined) throw new Error(`VM ${args.vmid} with the name ${args.guest} is not listed by Proxmox`)
  return found
}

/** For an HA resource the task is only a request. And the list must show it: the rest of the run is planned from that. */
async function awaitPower(
  args: GuestArgs,
  wanted: 'running' | 'stopped',
  fix: string,
  context: StepContext,
): Promise<void> {
  await waitUntil(
    {
      forWhat: `the guest ${args.guest} to be ${wanted === 'running' ? 'on' : 'off'}`,
      where: `VM ${args.vmid}`,
      timeoutMs: 10 * minute,
      intervalMs: 1000,
      fix,
    },
    async () => {
      const isSo = (await findGuest(args, context))?.status === wanted
      return isSo && (await findListed(args, context))?.status === wanted ? true : undefined
    },
    context,
  )
}

async function missing(storages: readonly string[], { proxmox, signal }: StepContext): Promise<string[]> {
  const { storages: there, hosts } = await proxmox.cluster.resources(signal)
  const online = new Set(hosts.filter((host) => host.online).map(({ name }) => name))
  return storages.filter((name) =>
    there.some(({ storage, host, available }) => storage === name && online.has(host) && !available),
  )
}
