/** A fault of a machine, host, storage or network, and its parameters. */
export interface Strike {
  readonly machine?: string
  readonly host?: string
  readonly storage?: string
  readonly vmid?: number
  readonly address?: string
  readonly token?: string
  readonly privileges?: readonly string[]
  /** The sides of a network cut: machines, hosts, addresses, `operator` or `*`. */
  readonly from?: readonly string[]
  readonly to?: readonly string[]
  readonly isOneWay?: boolean
  readonly isRefused?: boolean
  /** The clock error, the etcd latency, or the lag. */
  readonly ms: number
  /** How many times slower. */
  readonly factor: number
}

/** A required parameter of a fault. */
export function need<K extends 'machine' | 'host' | 'storage' | 'address' | 'vmid' | 'from' | 'to'>(
  strike: Strike,
  name: K,
): NonNullable<Strike[K]> {
  const value = strike[name]
  if (value === undefined || (Array.isArray(value) && value.length === 0))
    throw new Error(`This --strike needs --${name}.`)
  return value as NonNullable<Strike[K]>
}
