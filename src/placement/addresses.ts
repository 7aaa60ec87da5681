import { addressOf, parseAddress } from '../cluster/address.js'
import type { Machine } from '../cluster/machine.js'
import { takenAddress } from '../findings/refusals/placement.js'
import type { AddressFacts, Wanted } from './facts.js'
import { pathOf } from './spec-path.js'

/** Refuses if the address of a new machine, or the VIP, is taken. */
export function refuseTakenAddresses(
  wanted: Wanted,
  newMachines: readonly Machine[],
  seen: readonly AddressFacts[],
): void {
  const owners = new Map(seen.map(({ address, owner }) => [keyOf(address), owner]))
  const collisions = claimsOf(wanted, newMachines).flatMap(({ path, address, claimant }) => {
    const owner = owners.get(keyOf(address))
    return owner === undefined
      ? []
      : [{ path, claimant, text: `${address}, the address of ${claimant}, belongs to ${owner}.` }]
  })
  const [first] = collisions
  if (first === undefined) return
  throw takenAddress.refuse(collisions.map(({ text }) => text).join('\n'), {
    subject: { kind: 'machine', name: first.claimant },
    where: wanted.where(first.path),
    fix: 'Choose another ip or offset, or free the address.',
  })
}

interface Claim {
  readonly path: string
  readonly address: string
  readonly claimant: string
}

function claimsOf(wanted: Wanted, newMachines: readonly Machine[]): Claim[] {
  const { vip } = wanted.settings.network
  const shared = vip === undefined ? [] : [{ path: 'network.vip', address: vip, claimant: 'the VIP' }]
  const own = newMachines.flatMap((machine) =>
    machine.nics
      .flatMap(({ addresses }) => addresses)
      .map((cidr) => ({ path: pathOf(wanted, machine), address: addressOf(cidr), claimant: machine.name })),
  )
  return [...shared, ...own]
}

/** One text for every notation of an address. */
function keyOf(address: string): string {
  const parsed = parseAddress(address)
  return parsed === undefined ? address : `${parsed.family}/${parsed.value}`
}
