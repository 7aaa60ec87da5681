/** Something that happens to a machine, a host, a storage or the network, and what it needs to know. */
export interface Strike {
  readonly machine?: string
  readonly host?: string
  readonly storage?: string
  readonly vmid?: number
  readonly address?: string
  readonly token?: string
  readonly privileges?: readonly string[]
  /** The sides of a cut: machines, hosts, addresses, `operator` or `*`. */
  readonly from?: readonly string[]
  readonly to?: readonly string[]
  readonly isOneWay?: boolean
  readonly isRefused?: boolean
  /** How wrong a clock is, how slow etcd, how far something lags. */
  readonly ms: number
  /** How many times slower. */
  readonly factor: number
}

/** What a strike cannot do without. */
export function need<K extends 'machine' | 'host' | 'storage' | 'address' | 'vmid' | 'from' | 'to'>(
  strike: Strike,
  name: K,
): NonNullable<Strike[K]> {
  const value = strike[name]
  if (value === undefined || (Array.isArray(value) && value.length === 0))
    throw new Error(`This --strike needs --${name}.`)
  return value as NonNullable<Strike[K]>
}
