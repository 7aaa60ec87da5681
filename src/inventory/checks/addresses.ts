import {
  type Address,
  addressOf,
  contains,
  lastAddress,
  type Network,
  parseAddress,
  parseNetwork,
} from '../../cluster/address.js'
import { addressRangeOf } from '../address-range.js'
import type { Complaint } from '../complaint.js'
import type { Draft } from '../machines.js'
import { formatPath, type Path } from '../path.js'
import type { Settings } from '../schema.js'
import type { CheckInput } from './check.js'

interface Claim {
  readonly path: Path
  readonly address: Address
  readonly owner: string
}

/** Every address is inside its network and has one owner; every machine has an address or a way to find it. */
export function* checkAddresses(input: CheckInput): Iterable<Complaint> {
  yield* unaddressed(input)
  yield* tooSmall(input)
  const claims = claimsOf(input)
  const infrastructure = infrastructureOf(input.settings)
  yield* outside(input, claims)
  yield* doubles(claims)
  yield* givenAway(claims, infrastructure)
  yield* balanced(input, [...claims, ...infrastructure])
}

function addressPath({ path, isNamed }: Draft, key: string): Path {
  return isNamed ? [...path, key] : path
}

/** Machines whose address cannot be determined. */
function* unaddressed({ settings: { network }, drafts, has }: CheckInput): Iterable<Complaint> {
  const lacking = drafts.filter(({ machine }) => machine.address === undefined)
  const [first] = lacking
  if (first === undefined) return
  const { name } = first.machine
  const others = lacking.length > 1 ? ` and ${lacking.length - 1} more` : ''
  if (network.mode === 'dhcp') {
    if (network.agent) return
    yield {
      path: first.path,
      related: [
        ['network', 'agent'],
        ['network', 'mode'],
      ],
      message: `With DHCP and without the guest agent, ichor cannot find the address of ${name}${others}.`,
      fix: 'Give each machine the ip that its lease has, or write network.agent: true.',
    }
  } else if (network.cidr === undefined) {
    yield {
      path: first.path,
      related: [['network', 'cidr']],
      message: `${name}${others} ${lacking.length > 1 ? 'have' : 'has'} no ip, and network.cidr is not set.`,
      fix: 'Set network.cidr, such as 10.0.10.0/24, or an ip for each machine.',
    }
  } else if (first.path[0] === 'worker_pools' && !has([...first.path.slice(0, 2), 'offset'])) {
    yield {
      path: first.path,
      message: `The pool ${first.machine.pool} shares network.cidr with other workers but has no offset for its addresses.`,
      fix: `Write ${formatPath([...first.path.slice(0, 2), 'offset'])}, such as 40.`,
    }
  }
}

/** Counted machines beyond the end of the network. */
function* tooSmall({ settings: { network }, groups, drafts }: CheckInput): Iterable<Complaint> {
  if (network.cidr === undefined || network.mode === 'dhcp') return
  for (const { pool, offset, countPath } of groups) {
    const lacking = drafts.filter(({ machine }) => machine.pool === pool && machine.address === undefined)
    if (lacking.length === 0 || Number.isNaN(offset)) continue
    yield {
      path: ['network', 'cidr'],
      related: [countPath],
      message: `network.cidr (${network.cidr}) is too small: ${lacking.length} machines of ${pool}, counted from +${offset}, have no address in it.`,
      fix: 'Write a wider network, a smaller offset, or fewer machines.',
    }
  }
}

function claimsOf({ settings: { network }, drafts, guests }: CheckInput): Claim[] {
  const one = (path: Path, address: Address | undefined, owner: string): Claim[] =>
    address === undefined ? [] : [{ path, address, owner }]
  return [
    ...drafts.flatMap((draft) => one(addressPath(draft, 'ip'), draft.machine.address, draft.machine.name)),
    ...drafts.flatMap((draft) => secondAddresses(draft)),
    ...guests.flatMap(({ address, name }, index) => one(['guests', index, 'ip'], address, `the guest ${name}`)),
    ...one(['network', 'vip'], network.vip, 'the VIP'),
  ]
}

function secondAddresses(draft: Draft): Claim[] {
  const { nics, name } = draft.machine
  const v6 = nics[0].addresses
    .slice(1)
    .map((cidr) => ({ path: addressPath(draft, 'ip6'), address: addressOf(cidr), owner: name }))
  const others = nics.slice(1).flatMap(({ addresses }, index) =>
    addresses.map((cidr) => ({
      path: draft.isNamed ? [...draft.path, 'nics', index, 'ip'] : draft.path,
      address: addressOf(cidr),
      owner: `${name} (NIC ${index + 1})`,
    })),
  )
  return [...v6, ...others]
}

function* outside({ settings: { network } }: CheckInput, claims: readonly Claim[]): Iterable<Complaint> {
  const main = network.cidr === undefined ? undefined : parseNetwork(network.cidr)
  if (main === undefined) return
  for (const { path, address, owner } of claims) {
    const key = path.at(-1)
    const isJudged = path[0] !== 'guests' && (key === 'ip' ? !path.includes('nics') : key === 'vip')
    if (isJudged && !contains(main, address)) {
      yield {
        path,
        related: [['network', 'cidr']],
        message: `${address}, the address of ${owner}, is outside of network.cidr (${network.cidr}).`,
        fix: `Write an address of ${network.cidr}.`,
      }
    } else if (contains(main, address) && isReserved(main, address)) {
      yield {
        path,
        related: [['network', 'cidr']],
        message: `${address}, the address of ${owner}, is the first or the last one of ${network.cidr}, which no machine can have.`,
        fix: 'Write another address or offset.',
      }
    }
  }
}

function isReserved(network: Network, address: Address): boolean {
  const value = parseAddress(address)?.value
  return network.family === 4 && network.prefix < 31 && (value === network.base || value === lastAddress(network))
}

function* doubles(claims: readonly Claim[]): Iterable<Complaint> {
  const owners = new Map<string, Claim>()
  for (const claim of claims) {
    const key = keyOf(claim.address)
    const other = owners.get(key)
    if (other === undefined) owners.set(key, claim)
    else
      yield {
        path: claim.path,
        related: [other.path],
        message: `${claim.address} is used by both ${claim.owner} and ${other.owner}.`,
        fix: 'Give each its own address.',
      }
  }
}

/** An address of the network itself: a machine with it would cut off everything else. */
function* givenAway(claims: readonly Claim[], infrastructure: readonly Claim[]): Iterable<Complaint> {
  const owners = new Map(infrastructure.map((claim) => [keyOf(claim.address), claim]))
  for (const { path, address, owner } of claims) {
    const holder = owners.get(keyOf(address))
    if (holder === undefined || path[0] === 'guests') continue
    const isCounted = path.at(-1) !== 'ip' && path.at(-1) !== 'vip'
    yield {
      path,
      related: [holder.path],
      message: `${address} would be the address of ${owner}, and it is the address of ${holder.owner}.`,
      fix: isCounted
        ? 'Set network.control_plane_offset, network.worker_offset or the offset of the pool to another value.'
        : 'Give each its own address.',
    }
  }
}

/** Addresses that are taken before the first machine exists. A guest may have one: a router or a DNS server. */
export function infrastructureOf({ network, proxmox }: Pick<Settings, 'network' | 'proxmox'>): Claim[] {
  const literal = (path: Path, host: string | undefined, owner: string): Claim[] => {
    const address = host?.replace(/^\[|\]$/g, '')
    return address === undefined || parseAddress(address) === undefined ? [] : [{ path, address, owner }]
  }
  return [
    ...literal(['network', 'gateway'], network.gateway, 'the gateway'),
    ...literal(['network', 'ipv6', 'gateway'], network.ipv6?.gateway, 'the IPv6 gateway'),
    ...network.dns.flatMap((address, index) => literal(['network', 'dns', index], address, 'a DNS server')),
    ...network.ntp.flatMap((address, index) => literal(['network', 'ntp', index], address, 'a time server')),
    ...proxmox.endpoints.flatMap((url) => literal(['proxmox'], new URL(url).hostname, `the Proxmox endpoint ${url}`)),
    ...literal(['proxmox', 'ssh', 'host'], proxmox.ssh?.host, 'the SSH jump host'),
  ]
}

function keyOf(address: Address): string {
  const parsed = parseAddress(address)
  return `${parsed?.family}/${parsed?.value}`
}

/** Load balancer addresses must not be taken. */
function* balanced({ settings: { network } }: CheckInput, claims: readonly Claim[]): Iterable<Complaint> {
  for (const [index, text] of network.load_balancer.entries()) {
    const range = addressRangeOf(text)
    const inside = claims.find(({ address }) => {
      const parsed = parseAddress(address)
      return (
        parsed !== undefined &&
        range !== undefined &&
        parsed.family === range.family &&
        parsed.value >= range.first &&
        parsed.value <= range.last
      )
    })
    if (inside === undefined) continue
    yield {
      path: ['network', 'load_balancer', index],
      related: [inside.path],
      message: `network.load_balancer (${text}) contains ${inside.address}, the address of ${inside.owner}.`,
      fix: 'Choose an unused range.',
    }
  }
}
