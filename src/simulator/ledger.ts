/** Who did what when, kept inside the lab: invariants are judged from here and not from what the client believes. */
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
  /** `call` for a request; anything else is an event of the datacentre, such as `vm.started` or `etcd.bootstrapped`. */
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
