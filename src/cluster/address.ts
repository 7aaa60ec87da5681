/** An IPv4 or IPv6 address in its usual text form. */
export type Address = string
/** An address with a prefix length: `10.0.10.11/24`. */
export type Cidr = string

export interface Network {
  readonly family: 4 | 6
  /** First address of the network. */
  readonly base: bigint
  readonly prefix: number
}

/** The number of an address; `undefined` if the text is not one. */
export function parseAddress(text: string): { family: 4 | 6; value: bigint } | undefined {
  const family = familyOf(text)
  if (family === 4) return { family, value: text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n) }
  if (family === 6) return { family, value: parseIpv6(text) }
  return undefined
}

const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^(?:${byte}\\.){3}${byte}$`)

/** As `isIP` of `node:net`, which takes milliseconds to load. */
export function familyOf(text: string): 4 | 6 | undefined {
  if (ipv4.test(text)) return 4
  return isIpv6(text) ? 6 : undefined
}

function isIpv6(text: string): boolean {
  const [, bare] = /^([0-9a-f:.]+)(?:%[0-9a-z.:-]+)?$/i.exec(text) ?? []
  const halves = bare?.split('::') ?? []
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const isEmbedded = halves.at(-1) !== '' && ipv4.test(groups.at(-1) ?? '')
  const written = isEmbedded ? groups.slice(0, -1) : groups
  const length = groups.length + (isEmbedded ? 1 : 0)
  const fits = halves.length === 1 ? length === 8 : halves.length === 2 && length < 8
  return fits && written.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
}

/** `10.0.10.0/24` or `10.0.10.11/24`; `undefined` if the text is not a network. */
export function parseNetwork(text: string): Network | undefined {
  const [head = '', tail, ...rest] = text.split('/')
  const address = parseAddress(head)
  if (address === undefined || tail === undefined || rest.length > 0 || !/^\d{1,3}$/.test(tail)) return undefined
  const bits = address.family === 4 ? 32 : 128
  const prefix = Number(tail)
  if (prefix > bits) return undefined
  const hostBits = BigInt(bits - prefix)
  return { family: address.family, base: (address.value >> hostBits) << hostBits, prefix }
}

export function contains(network: Network, text: Address): boolean {
  const address = parseAddress(text)
  if (address === undefined || address.family !== network.family) return false
  return address.value >= network.base && address.value <= lastAddress(network)
}

export function overlaps(one: Network, other: Network): boolean {
  return one.family === other.family && one.base <= lastAddress(other) && other.base <= lastAddress(one)
}

/** The address at `offset` from the first one of the network; `undefined` outside it. */
export function addressAt(network: Network, offset: number): Address | undefined {
  const value = network.base + BigInt(offset)
  if (offset < 0 || value > lastAddress(network)) return undefined
  return formatAddress(network.family, value)
}

export function lastAddress(network: Network): bigint {
  const bits = network.family === 4 ? 32 : 128
  return network.base + (1n << BigInt(bits - network.prefix)) - 1n
}

function formatAddress(family: 4 | 6, value: bigint): Address {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - i * 16)) & 0xffffn))
  return compress(groups)
}

/** Without its prefix length. */
export function addressOf(cidr: Cidr): Address {
  return cidr.split('/')[0] ?? cidr
}

function parseIpv6(text: string): bigint {
  const bare = text.split('%')[0] ?? text
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(bare)
  const v4 = embedded ? parseAddress(embedded[2] ?? '') : undefined
  const whole =
    embedded && v4 ? `${embedded[1]}${(v4.value >> 16n).toString(16)}:${(v4.value & 0xffffn).toString(16)}` : bare
  const [head = '', tail] = whole.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...middle, ...right].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n)
}

/** RFC 5952: the longest run of at least two zero groups becomes `::`. */
function compress(groups: readonly number[]): Address {
  let best = { start: -1, length: 1 }
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (start + length < 8 && groups[start + length] === 0) length++
    if (length > best.length) best = { start, length }
  }
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  if (best.start < 0) return text(groups)
  return `${text(groups.slice(0, best.start))}::${text(groups.slice(best.start + best.length))}`
}
