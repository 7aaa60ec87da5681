import type { RunEvent } from '../events/event.js'
import type { PlanView } from '../events/plan-view.js'
import type { RunSummary } from './run-summary.js'
import type { Snapshot } from './snapshot.js'

/** What the page asks for again and again. */
export interface PageState {
  readonly version: 1
  readonly ichor_version: string
  /** When this was put together, by the clock of the server. */
  readonly at: string
  readonly may_change: boolean
  readonly clusters: readonly ClusterState[]
  /** Verbs to find and copy. */
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
}

/** What a page without a server shows. */
export interface ExportedPage {
  readonly state: PageState
  /** Of each cluster. */
  readonly plans: readonly PlanAnswer[]
  /** Of each cluster, by the ID of the run. */
  readonly runs: readonly Readonly<Record<string, readonly RunEvent[]>>[]
}

export interface ClusterState {
  readonly name: string
  /** What follows `ichor VERB` so that it means this cluster: `-i inventory/prod --lab`. */
  readonly options: string
  /** The last look that succeeded. */
  readonly snapshot: Snapshot | null
  /** Why the last look failed. */
  readonly failure: Failure | null
  /** Looks that failed since the last one that succeeded. */
  readonly missed: number
  /** Looks that have ended, whether they succeeded or not. */
  readonly looks: number
  /** How often it is looked at: less often if a look is much work. 0: not again. */
  readonly every_ms: number
  /** The load of each host in the last looks, oldest first. */
  readonly history: readonly HostLoads[]
  /** The newest first. */
  readonly runs: readonly RunSummary[]
}

/** Shares from 0 to 1, by host. */
export interface HostLoads {
  readonly at: string
  readonly memory: Readonly<Record<string, number>>
  readonly cpu: Readonly<Record<string, number>>
}

export interface Failure {
  readonly problem: string
  readonly where: string
  readonly fix: string
  readonly since: string
}

export interface PlanAnswer {
  readonly plan: PlanView | null
  readonly at: string
  readonly failure: Failure | null
}
