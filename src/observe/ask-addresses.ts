import type { Machine } from '../cluster/machine.js'
import type { GuestResource } from '../proxmox/port.js'
import type { World } from '../world.js'
import type { TakenAddress } from './observed.js'

const ports = [50000, 6443] as const
const patienceMs = 1500
/** Reading the configs of more guests than this would cost more than it finds; whoever runs is still heard to answer. */
const mostGuests = 100

/** Who has addresses that machines which are yet to be made shall have; nothing is asked when there are none. */
export async function askAddresses(
  wanted: { readonly machines: readonly Machine[]; readonly vip: string | undefined },
  strangers: readonly GuestResource[],
  world: World,
  signal: AbortSignal,
): Promise<TakenAddress[]> {
  const addresses = [
    ...wanted.machines.flatMap(({ address, nics: [first] }) => (address === undefined || first.dhcp ? [] : [address])),
    ...(wanted.vip === undefined ? [] : [wanted.vip]),
  ]
  if (addresses.length === 0) return []
  const [told, heard] = await Promise.all([readGuests(strangers, world, signal), knock(addresses, world, signal)])
  return [...told.filter(({ address }) => addresses.includes(address)), ...heard]
}

/** Addresses that cloud-init gives to VMs, also to those that are switched off now. */
async function readGuests(
  strangers: readonly GuestResource[],
  { proxmox }: World,
  signal: AbortSignal,
): Promise<TakenAddress[]> {
  const readable = strangers.filter(({ kind, template }) => kind === 'qemu' && !template).slice(0, mostGuests)
  const read = await Promise.all(
    readable.map(async (guest) => {
      const seen = await proxmox.machines.findOptions(guest, signal).catch(() => undefined)
      const owner = `VM ${guest.vmid} (${guest.name ?? 'without a name'}) on ${guest.host}`
      return Object.entries(seen?.options ?? {}).flatMap(([key, value]) => {
        const address = /^ipconfig\d+$/.test(key) ? /(?:^|,)ip6?=([0-9a-fA-F.:]+)/.exec(value)?.[1] : undefined
        return address === undefined ? [] : [{ address, owner }]
      })
    }),
  )
  return read.flat()
}

/** Whoever answers on a port of Talos or Kubernetes lives there. */
async function knock(addresses: readonly string[], { dialer }: World, signal: AbortSignal): Promise<TakenAddress[]> {
  const probes = addresses.flatMap((address) => ports.map((port) => ({ address, port })))
  const answers = await Promise.all(
    probes.map(async ({ address, port }) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      const socket = await dialer.dial({ host: address, port }, patience).catch(() => undefined)
      socket?.destroy()
      return socket === undefined ? [] : [{ address, owner: `something that answers on port ${port}` }]
    }),
  )
  return answers.flat()
}
