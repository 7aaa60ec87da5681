import { addressOf } from '../cluster/address.js'
import type { Machine } from '../cluster/machine.js'
import type { ObservedMachine, TakenAddress } from './observed.js'

const ports = [50000, 6443] as const
const patienceMs = 1500

/** All static addresses of these machines. */
export function staticAddresses(machines: readonly Machine[]): string[] {
  return machines.flatMap(({ nics }) => nics.flatMap(({ addresses }) => addresses.map(addressOf)))
}

/** The clients needed to check addresses. */
interface AddressWorld {
  readonly dialer: {
    dial(target: { host: string; port: number }, signal: AbortSignal): Promise<{ destroy(): unknown }>
  }
  readonly proxmox: {
    readonly cluster: {
      status(signal: AbortSignal): Promise<{ hosts: readonly { readonly name: string; readonly address?: string }[] }>
    }
  }
}

/** Addresses that respond on a Talos or Kubernetes port, and those of the hosts. */
export async function askAddresses(
  addresses: readonly string[],
  world: AddressWorld,
  signal: AbortSignal,
): Promise<TakenAddress[]> {
  if (addresses.length === 0) return []
  const [hosts, heard] = await Promise.all([hostAddresses(world, signal), knock(addresses, world, signal)])
  return [...hosts, ...heard]
}

async function hostAddresses({ proxmox }: AddressWorld, signal: AbortSignal): Promise<TakenAddress[]> {
  const { hosts } = await proxmox.cluster.status(signal).catch(() => ({ hosts: [] }))
  return hosts.flatMap(({ name, address }) =>
    address === undefined ? [] : [{ address, owner: `the Proxmox host ${name}` }],
  )
}

async function knock(
  addresses: readonly string[],
  { dialer }: AddressWorld,
  signal: AbortSignal,
): Promise<TakenAddress[]> {
  const probes = addresses.flatMap((address) => ports.map((port) => ({ address, port })))
  const answers = await Promise.all(
    probes.map(async ({ address, port }) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      const answer = await dialer.dial({ host: address, port }, patience).then(hangUp, isRefusal)
      return answer ? [{ address, owner: `a host that responds on port ${port}` }] : []
    }),
  )
  return answers.flat()
}

function hangUp(socket: { destroy(): unknown }): boolean {
  socket.destroy()
  return true
}

/**
 * Only an existing host can refuse a connection. A refusal through a proxy counts less: some proxies refuse what they
 * cannot reach.
 */
function isRefusal(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

/** Addresses of this cluster's machines are reported by machine name. */
export function withOwnNames(taken: readonly TakenAddress[], machines: readonly ObservedMachine[]): TakenAddress[] {
  const owners = new Map(
    machines.flatMap(({ name, vmid, address, node }) =>
      [address, ...(node?.internalAddresses ?? [])].map((one) => [one, `${name} (VM ${vmid}) of this cluster`]),
    ),
  )
  return taken.map(({ address, owner }) => ({ address, owner: owners.get(address) ?? owner }))
}
