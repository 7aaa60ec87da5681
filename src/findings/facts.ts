import type { Advisory } from '../advisories/advisory.js'
import type { Seen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import type { Examined } from '../examine/examined.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'
import type { EtcdAlarm } from '../talos/api/port.js'
import type { Finding } from './finding.js'

/** What findings are found in. */
export interface Facts {
  readonly inventory: Inventory
  /** Missing if the inventory cannot be carried out as it is. */
  readonly desired?: Desired
  readonly observed: Observed
  /** Missing where only the state of the plan matters. */
  readonly examined?: Examined
  /** What etcd has raised; queried if etcd exists. */
  readonly alarms?: Seen<readonly EtcdAlarm[]>
  /** Combinations that are known to break. */
  readonly advisories?: readonly Advisory[]
  /** Certificates and tokens. */
  readonly expiries: readonly { readonly name: string; readonly expires: string }[]
  readonly backup: Seen<BackupFacts>
  /** Why `up` would refuse to do anything. */
  readonly refused?: readonly Finding[]
  /** Addons that the inventory wants. */
  readonly addons?: readonly { readonly name: string; readonly version: string }[]
  /** Control planes whose API server cannot decrypt what lies in etcd. */
  readonly unreadable?: readonly { readonly machine: string; readonly why: string }[]
  /** How many changes `up` would make; missing if it would refuse. */
  readonly pending?: number
  /** Why the last run from this computer did not finish. */
  readonly lastProblem?: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Etcd snapshots in the store of the inventory. Times are in milliseconds since 1970. */
export interface BackupFacts {
  /** The newest one that a restore can use. */
  readonly newest?: { readonly name: string; readonly takenAt: number }
  /** A snapshot older than this missed two times of the schedule; missing without a schedule. */
  readonly dueSince?: number
  /** The last drill that passed. */
  readonly drilledAt?: number
}
