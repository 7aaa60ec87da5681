import type { GoalName } from '../cluster/goal-name.js'
import type { Facts } from './facts.js'
import type { Finding, FindingCode, Severity } from './finding.js'
import type { Phase } from './phase.js'

/** What must have been seen to say that nothing is wrong; with a dot, a part that is queried by itself. */
export type Need =
  | 'proxmox'
  | 'proxmox.backupJobs'
  | 'proxmox.ha'
  | 'proxmox.firewall'
  | 'proxmox.contents'
  | 'talos'
  | 'talos.config'
  | 'etcd'
  | 'kubernetes'
  | 'backup'
  | 'alarms'
  | `examined.${'hosts' | 'load' | 'storages' | 'lease' | 'ha' | 'agents' | 'machines' | 'controlPlanes' | 'kubernetes'}`

/** One case of a definition. A threshold may change the severity. */
export type Found = Omit<Finding, 'code' | 'severity' | 'certainty'> & { readonly severity?: Severity }

/** What a plan is made from: where it is not seen, work or a refusal may be missing. */
export const needsOfPlan: readonly Need[] = [
  'proxmox',
  'proxmox.backupJobs',
  'proxmox.ha',
  'proxmox.firewall',
  'proxmox.contents',
  'talos',
  'talos.config',
  'etcd',
  'kubernetes',
]

export interface FindingDefinition {
  readonly code: FindingCode
  /** Names the section in `docs/findings.md`. */
  readonly name: string
  readonly severity: Severity
  readonly certainty: Finding['certainty']
  readonly phase: Phase
  /** The goals that it blocks; none: it only reports. */
  readonly blocks: readonly GoalName[]
  readonly needs: readonly Need[]
  find(facts: Facts): Iterable<Found>
}

type Optional = 'certainty' | 'phase' | 'blocks'

/** A finding, found by itself in a file of its own. */
export function defineFinding(
  definition: Omit<FindingDefinition, Optional> & Partial<Pick<FindingDefinition, Optional>>,
): FindingDefinition {
  return { certainty: 'certain', phase: 'look', blocks: [], ...definition }
}
