/** The computer of the lab's clients, as a side of a cut. */
export const operator = 'operator'

/** A part of the lab's network that drops all traffic. */
export interface Cut {
  /** Names of machines, nodes and hosts, lab addresses, `operator`, or `*` for everything in the lab. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** Only packets `from` one side `to` the other are lost, including replies to calls from the other side. */
  readonly oneWay?: boolean
  /** `swallow`: packets are dropped silently, as by a firewall. `refuse`: connections are refused and reset. */
  readonly how?: 'swallow' | 'refuse'
}

export type Passage = 'open' | 'swallow' | 'refuse'

export interface NetworkCuts {
  add(cut: Cut): number
  /** All of them without an ID. */
  remove(id?: number): void
  list(): readonly (Cut & { readonly id: number })[]
  /** What happens to a packet from one place (`operator`, or a lab address) to another. */
  passage(from: string, to: string): Passage
  /** Whether two places can communicate, which needs both directions. */
  canTalk(one: string, other: string): boolean
  /** Called after every change; the returned function unsubscribes. */
  onChange(listener: () => void): () => void
}

/** `namesOf` returns the names of whatever has an address now. */
export function createNetworkCuts(namesOf: (address: string) => readonly string[]): NetworkCuts {
  const cuts = new Map<number, Cut>()
  const listeners = new Set<() => void>()
  let nextId = 1
  const notify = () => {
    for (const listener of [...listeners]) listener()
  }

  const isOn = (side: readonly string[], place: string) =>
    side.includes(place) ||
    (place !== operator && (side.includes('*') || namesOf(place).some((name) => side.includes(name))))

  const passage = (from: string, to: string): Passage => {
    for (const { from: some, to: others, oneWay = false, how = 'swallow' } of cuts.values()) {
      if (isOn(some, from) && isOn(others, to)) return how
      if (!oneWay && isOn(others, from) && isOn(some, to)) return how
    }
    return 'open'
  }

  return {
    add: (cut) => {
      const id = nextId++
      cuts.set(id, cut)
      notify()
      return id
    },
    remove: (id) => {
      if (id === undefined) cuts.clear()
      else cuts.delete(id)
      notify()
    },
    list: () => [...cuts].map(([id, cut]) => ({ ...cut, id })),
    passage,
    canTalk: (one, other) => cuts.size === 0 || (passage(one, other) === 'open' && passage(other, one) === 'open'),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
