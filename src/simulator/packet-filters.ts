/** One packet to a port of a lab address. */
export interface Packet {
  readonly from: string
  readonly to: string
  readonly port: number
  readonly protocol: 'tcp' | 'udp'
  /** The first of its connection; the others may pass where it would not. */
  readonly isNew: boolean
}

export type PacketFilter = (packet: Packet) => boolean

/** The firewalls of the lab: of nodes, VMs and hosts. What one of them drops vanishes. */
export interface PacketFilters {
  add(filter: PacketFilter): void
  admits(packet: Packet): boolean
  /** Some firewall has other rules now. */
  changed(): void
  /** Runs after every change; the result ends that. */
  onChange(listener: () => void): () => void
}

export function createPacketFilters(): PacketFilters {
  const filters: PacketFilter[] = []
  const listeners = new Set<() => void>()
  return {
    add: (filter) => void filters.push(filter),
    admits: (packet) => filters.every((filter) => filter(packet)),
    changed: () => {
      for (const listener of [...listeners]) listener()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
