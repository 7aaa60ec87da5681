import type { ClusterSpec } from '../../desired/cluster-spec.js'
import type { Desired } from '../../desired/desired.js'
import type { Observed } from '../../observe/observed.js'
import type { UpgradeLimit } from '../../plan/upgrade/limit-upgrade.js'

/** What a command that changes a cluster wants. */
export interface WantedChange {
  readonly spec: Omit<ClusterSpec, 'secrets'>
  /** Records the intent: after the user has agreed, and before the first change. */
  write(): Promise<void>
  /** How far an upgrade goes before it waits. */
  readonly limit?: UpgradeLimit
  /** Refuses what the plan cannot know, before the user is asked. */
  check?(facts: ChangeFacts): Promise<void>
}

interface ChangeFacts {
  readonly desired: Desired
  readonly observed: Observed
}
