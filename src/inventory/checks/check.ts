import type { Guest } from '../../cluster/machine.js'
import type { Complaint } from '../complaint.js'
import type { Draft, Group } from '../machines.js'
import type { Path } from '../path.js'
import type { Settings } from '../schema.js'

/** The input of checks: the resolved settings, and the resulting machines. */
export interface CheckInput {
  readonly settings: Settings
  readonly groups: readonly Group[]
  readonly drafts: readonly Draft[]
  readonly guests: readonly Guest[]
  /** Whether the user set something at this place. */
  has(path: Path): boolean
}

/** Finds one kind of contradiction. */
export type Check = (input: CheckInput) => Iterable<Complaint>

/** Names joined for a sentence: `a, b and c`; long lists are truncated. */
export function listed(names: readonly string[]): string {
  if (names.length > 6) return `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
