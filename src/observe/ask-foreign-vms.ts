import type { Machine, VmRef } from '../cluster/machine.js'
import { heldMachine } from '../ownership/identity-of-vm.js'
import type { GuestResource, SeenOptions } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import type { TakenAddress, UnverifiedVm } from './observed.js'

/** What is known about VMs of other owners. */
export interface ForeignVms {
  /** VMIDs of VMs that start with their host: their memory is reserved even while they are off. */
  readonly onboot: readonly number[]
  readonly addresses: readonly TakenAddress[]
  /** VMs with the UUID or MAC of one of these machines: a duplicate, or a machine that lost its mark, pool and tag. */
  holders(machines: readonly Machine[]): UnverifiedVm[]
}

/** Reading more guests costs more than it finds. A running guest is still noticed because its address responds. */
const maxGuests = 100
/** An agent that is enabled but not running costs Proxmox seconds, and a host may have many of them. */
const patienceMs = 5000

/** VMs that are off come first: no other check finds them. */
export async function askForeignVms(
  guests: readonly GuestResource[],
  world: World,
  signal: AbortSignal,
): Promise<ForeignVms> {
  const readable = guests.filter(({ kind, template }) => kind === 'qemu' && !template)
  const isOff = ({ status }: GuestResource) => Number(status !== 'running')
  const read = await Promise.all(
    readable
      .toSorted((one, other) => isOff(other) - isOff(one))
      .slice(0, maxGuests)
      .map(async (guest) => ({ guest, ...(await askForeignVm(guest, world, signal)) })),
  )
  return {
    onboot: read.filter(({ onboot }) => onboot).map(({ guest }) => guest.vmid),
    addresses: read.flatMap(({ guest, addresses }) => {
      const owner = `VM ${guest.vmid} (${guest.name ?? 'without a name'}) on ${guest.host}`
      return addresses.map((address) => ({ address, owner }))
    }),
    holders: (machines) => read.flatMap(({ guest, config }) => holderOf(guest, config, machines)),
  }
}

function holderOf(guest: GuestResource, config: SeenOptions | undefined, machines: readonly Machine[]): UnverifiedVm[] {
  if (config === undefined) return []
  const held = heldMachine(config, machines)
  if (held === undefined) return []
  return [
    {
      host: guest.host,
      vmid: guest.vmid,
      ...(guest.name === undefined ? {} : { name: guest.name }),
      because: 'mark-lost',
      ...(guest.status === 'stopped' ? { isOff: true } : {}),
      holds: held.name,
      text: `VM ${guest.vmid} on ${guest.host} has the UUID or MAC of ${held.name} but is not in its pool.`,
    },
  ]
}

async function askForeignVm(guest: GuestResource, { proxmox }: World, signal: AbortSignal) {
  const config = await proxmox.machines.findOptions(guest, signal).catch(() => undefined)
  const { agent = '', ...options } = config?.options ?? {}
  const isTalking = guest.status === 'running' && /^(1|enabled=1)\b/.test(agent)
  return {
    config,
    onboot: options.onboot === '1',
    addresses: [...cloudInitAddresses(options), ...(isTalking ? await reportedAddresses(guest, proxmox, signal) : [])],
  }
}

/** Addresses configured with cloud-init, also of VMs that are off. */
function cloudInitAddresses(options: Readonly<Record<string, string>>): string[] {
  const configs = Object.entries(options).filter(([key]) => /^ipconfig\d+$/.test(key))
  return configs.flatMap(([, value]) =>
    [...value.matchAll(/(?:^|,)ip6?=([0-9a-fA-F.:]+)\//g)].map(([, address = '']) => address),
  )
}

async function reportedAddresses(vm: VmRef, { agent }: World['proxmox'], signal: AbortSignal): Promise<string[]> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const interfaces = await agent.findAddresses(vm, inTime).catch(() => undefined)
  return (interfaces ?? []).flatMap(({ addresses }) => addresses)
}
