import type { VmRef } from '../cluster/machine.js'
import type { GuestResource } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import type { TakenAddress } from './observed.js'

/** What the VMs of others say of themselves. */
export interface ForeignVms {
  /** VMIDs of those that start with their host: their room is theirs, although they are off. */
  readonly onboot: readonly number[]
  readonly addresses: readonly TakenAddress[]
}

/** Reading more guests than this would cost more than it finds; whoever runs is still heard to answer. */
const mostGuests = 100
/** An agent that is switched on and does not run costs Proxmox seconds, and there may be many of them on a host. */
const patienceMs = 5000

/** Those that are off come first: nothing else reports them. */
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
      .slice(0, mostGuests)
      .map(async (guest) => ({ guest, ...(await askForeignVm(guest, world, signal)) })),
  )
  return {
    onboot: read.filter(({ onboot }) => onboot).map(({ guest }) => guest.vmid),
    addresses: read.flatMap(({ guest, addresses }) => {
      const owner = `VM ${guest.vmid} (${guest.name ?? 'without a name'}) on ${guest.host}`
      return addresses.map((address) => ({ address, owner }))
    }),
  }
}

async function askForeignVm(guest: GuestResource, { proxmox }: World, signal: AbortSignal) {
  const seen = await proxmox.machines.findOptions(guest, signal).catch(() => undefined)
  const { agent = '', ...options } = seen?.options ?? {}
  const isTalking = guest.status === 'running' && /^(1|enabled=1)\b/.test(agent)
  return {
    onboot: options.onboot === '1',
    addresses: [...cloudInitAddresses(options), ...(isTalking ? await reportedAddresses(guest, proxmox, signal) : [])],
  }
}

/** Addresses that cloud-init gives, also to VMs that are switched off now. */
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
