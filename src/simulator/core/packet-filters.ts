/** One packet to a port of a lab address. */
export interface Packet {
  readonly from: string
  readonly to: string
  readonly port: number
  readonly protocol: 'tcp' | 'udp'
  /** The first packet of its connection; later ones may pass even if it would not. */
  readonly isNew: boolean
}

export type PacketFilter = (packet: Packet) => boolean

/** The firewalls of the lab: of nodes, VMs and hosts. Filtered packets are dropped. */
export interface PacketFilters {
  add(filter: PacketFilter): void
  admits(packet: Packet): boolean
  /** The rules of a firewall have changed. */
  changed(): void
  /** Called after every change; the returned function unsubscribes. */
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
