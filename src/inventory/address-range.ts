import { lastAddress, parseAddress, parseNetwork } from '../cluster/address.js'

export interface AddressRange {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

/** `10.0.10.200-10.0.10.220`, a network, or a single address; `undefined` for anything else. */
export function addressRangeOf(text: string): AddressRange | undefined {
  const network = parseNetwork(text)
  if (network !== undefined) return { family: network.family, first: network.base, last: lastAddress(network) }
  const [head = '', tail = head, ...rest] = text.split('-').map((part) => part.trim())
  const [first, last] = [parseAddress(head), parseAddress(tail)]
  if (first === undefined || last === undefined || rest.length > 0) return undefined
  if (first.family !== last.family || first.value > last.value) return undefined
  return { family: first.family, first: first.value, last: last.value }
}
