/** Who did what when, recorded in the lab: invariants are checked against this, not against the client's view. */
export interface Ledger {
  record(entry: LedgerEntry): void
  entries(): readonly LedgerEntry[]
  /** Runs after every entry. */
  onRecord(listener: (entry: LedgerEntry) => void): void
}

export interface LedgerEntry {
  /** Model milliseconds. */
  readonly at: number
  readonly surface: 'proxmox' | 'talos' | 'kubernetes' | 'factory' | 'lab'
  /** `call` for a request; anything else is an event of the datacenter, such as `vm.started` or `etcd.bootstrapped`. */
  readonly event: string
  readonly subject: string
  readonly mutating: boolean
  readonly detail?: Readonly<Record<string, unknown>>
}

export function createLedger(): Ledger {
  const entries: LedgerEntry[] = []
  const listeners: ((entry: LedgerEntry) => void)[] = []
  return {
    record: (entry) => {
      entries.push(entry)
      for (const listener of listeners) listener(entry)
    },
    entries: () => entries,
    onRecord: (listener) => void listeners.push(listener),
  }
}
