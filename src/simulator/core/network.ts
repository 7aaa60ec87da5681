import type { AddressInfo, Server } from 'node:net'
import { createNetworkCuts, type NetworkCuts } from './network-cuts.js'
import { createPacketFilters, type PacketFilters } from './packet-filters.js'

/**
 * The lab's network. Inside, addresses of the inventory (10.0.10.11) are real; on the computer that runs the lab, each
 * one maps to a loopback address, and the SOCKS and SSH servers translate.
 */
export interface LabNetwork {
  /** The loopback address for a lab address; constant for the lifetime of the lab. */
  loopbackOf(address: string): string
  /** Binds a server to a port of a lab address. Fails with EADDRINUSE if it is taken. */
  listen(server: Server, address: string, port: number): Promise<void>
  /** The real target of a connection to a lab address; `undefined` if nothing listens there. */
  resolve(address: string, port: number): { host: string; port: number } | undefined
  /** The lab address of a loopback address; other addresses are returned unchanged. */
  addressBehind(host: string): string
  /** Network cuts. */
  readonly cuts: NetworkCuts
  /** Firewalls. */
  readonly filters: PacketFilters
  /** The address of the user's computer, as seen inside the lab. */
  readonly operatorAddress: string
  /** Whether a new TCP connection between two lab addresses succeeds. */
  canConnect(from: string, to: string, port: number): boolean
  /**
   * Makes an address exist twice: every second connection to it goes to that port of `other`, or nowhere without
   * `other`. The same happens with a VIP that two machines hold. `false` ends it.
   */
  duplicate(address: string, other: string | undefined | false): void
  /** DHCP leases by MAC. The same MAC gets the same address and hostname again. */
  lease(mac: string, bridge: string): DhcpLease | undefined
  /** The server assigns that address to the MAC from now on; the previous holder keeps it until it asks again. */
  moveLease(mac: string, bridge: string, address: string): void
  /** All known lab addresses with their loopback addresses. */
  list(): { address: string; loopback: string }[]
}

export interface DhcpLease {
  /** With prefix: `10.10.0.10/24`. */
  readonly cidr: string
  readonly gateway: string
  readonly dns: readonly string[]
  /** Option 12, if the lab's DHCP server sends one. */
  readonly hostname?: string
}

export interface DhcpScope {
  readonly bridge: string
  readonly cidr: string
  readonly gateway: string
  readonly dns: readonly string[]
  readonly reservations: readonly { readonly mac: string; readonly address: string; readonly hostname?: string }[]
  /** Offset of the first address for unknown MACs. */
  readonly poolOffset: number
}

/** What a saved lab stores of its network: loopback addresses and leases. */
export interface SavedNetwork {
  readonly prefix: number
  readonly loopbacks: readonly (readonly [string, string])[]
  readonly leases: readonly (readonly [string, DhcpLease])[]
}

export interface LabNetworkOptions {
  readonly scopes: readonly DhcpScope[]
  /** The second number of the loopback addresses: 127.<prefix>.y.z. */
  readonly prefix: number
  readonly saved?: SavedNetwork
  /** 192.168.1.10 by default. */
  readonly operatorAddress?: string
  /** Names of whatever has an address: cuts are given by name. */
  namesOf?(address: string): readonly string[]
}

export function createLabNetwork({
  scopes,
  prefix,
  saved,
  operatorAddress = '192.168.1.10',
  namesOf = () => [],
}: LabNetworkOptions): LabNetwork & { save(): SavedNetwork } {
  const moved = (loopback: string) => loopback.replace(/^127\.\d+\./, `127.${prefix}.`)
  const loopbacks = new Map<string, string>(saved?.loopbacks.map(([address, loopback]) => [address, moved(loopback)]))
  const bound = new Map<string, { readonly server: Server; readonly port: number }>()
  const leases = new Map<string, DhcpLease>(saved?.leases)
  const duplicates = new Map<string, { readonly other: string | undefined; connections: number }>()

  const loopbackOf = (address: string) => {
    const known = loopbacks.get(address)
    if (known !== undefined) return known
    if (address.startsWith('127.')) return address
    const n = loopbacks.size + 1
    const fresh = `127.${prefix}.${Math.floor(n / 250)}.${(n % 250) + 1}`
    loopbacks.set(address, fresh)
    return fresh
  }

  const cuts = createNetworkCuts(namesOf)
  const filters = createPacketFilters()
  const isLetIn = (from: string, to: string, port: number) =>
    filters.admits({ from, to, port, protocol: 'tcp', isNew: true })

  const addressBehind = (host: string) => [...loopbacks].find(([, loopback]) => loopback === host)?.[0] ?? host

  return {
    loopbackOf,
    listen: async (server, address, port) => {
      const loopback = loopbackOf(address)
      await bind(server, loopback, port)
      // Connections from outside come from the user's computer: the lab's own machines communicate without sockets.
      server.prependListener('connection', (socket) => {
        if (!isLetIn(operatorAddress, address, port)) socket.destroy()
      })
      const holder = { server, port: (server.address() as AddressInfo).port }
      const keys = [`${address}:${port}`, `${loopback}:${port}`]
      for (const key of keys) bound.set(key, holder)
      // Node reports a close only after the last connection has ended: the address may have a new owner by then.
      server.once('close', () => {
        for (const key of keys) if (bound.get(key)?.server === server) bound.delete(key)
      })
    },
    resolve: (asked, port) => {
      const address = duplicates.size === 0 ? asked : byTurns(duplicates, addressBehind(asked))
      const holder = address === undefined ? undefined : bound.get(`${address}:${port}`)
      return address === undefined || holder === undefined
        ? undefined
        : { host: loopbackOf(address), port: holder.port }
    },
    addressBehind,
    cuts,
    filters,
    operatorAddress,
    canConnect: (from, to, port) => from === to || (cuts.canTalk(from, to) && isLetIn(from, to, port)),
    duplicate: (address, other) => {
      if (other === false) duplicates.delete(address)
      else duplicates.set(address, { other, connections: 0 })
    },
    moveLease: (mac, bridge, address) => {
      const scope = scopes.find((candidate) => candidate.bridge === bridge)
      if (scope === undefined) throw new Error(`The lab has no DHCP server on ${bridge}.`)
      const key = `${bridge}/${mac.toUpperCase()}`
      const known = leases.get(key) ?? leaseFrom(scope, mac.toUpperCase(), leases.size)
      leases.set(key, { ...known, cidr: `${address}/${scope.cidr.split('/')[1] ?? '24'}` })
    },
    lease: (mac, bridge) => {
      const scope = scopes.find((candidate) => candidate.bridge === bridge)
      if (scope === undefined) return undefined
      const key = `${bridge}/${mac.toUpperCase()}`
      const known = leases.get(key)
      if (known !== undefined) return known
      const lease = leaseFrom(scope, mac.toUpperCase(), leases.size)
      leases.set(key, lease)
      return lease
    },
    list: () => [...loopbacks].map(([address, loopback]) => ({ address, loopback })),
    save: () => ({ prefix, loopbacks: [...loopbacks], leases: [...leases] }),
  }
}

/** The next responder if an address exists twice. */
function byTurns(
  duplicates: ReadonlyMap<string, { readonly other: string | undefined; connections: number }>,
  address: string,
): string | undefined {
  const duplicate = duplicates.get(address)
  if (duplicate === undefined) return address
  duplicate.connections++
  return duplicate.connections % 2 === 0 ? duplicate.other : address
}

/** A server may retry after a failure: the first attempt leaves no listeners. */
function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const onListening = () => {
      server.off('error', onError)
      resolve()
    }
    const onError = (error: Error) => {
      server.off('listening', onListening)
      reject(error)
    }
    server.once('listening', onListening).once('error', onError).listen(port, host)
  })
}

function leaseFrom(scope: DhcpScope, mac: string, given: number): DhcpLease {
  const prefix = scope.cidr.split('/')[1] ?? '24'
  const reserved = scope.reservations.find((entry) => entry.mac.toUpperCase() === mac)
  const address = reserved?.address ?? offsetAddress(scope.cidr, scope.poolOffset + given)
  return {
    cidr: `${address}/${prefix}`,
    gateway: scope.gateway,
    dns: scope.dns,
    ...(reserved?.hostname === undefined ? {} : { hostname: reserved.hostname }),
  }
}

function offsetAddress(cidr: string, offset: number): string {
  const [base = '0.0.0.0', bits = '24'] = cidr.split('/')
  const number = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const size = 2 ** (32 - Number(bits))
  const value = Math.floor(number / size) * size + offset
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
}
