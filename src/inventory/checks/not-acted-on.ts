import type { Complaint } from '../complaint.js'
import { formatPath, type Path } from '../path.js'
import type { CheckInput } from './check.js'

/** Keys that are validated but have no effect yet. Remove a line when it is implemented. */
const notActedOn: readonly Path[] = [['watch']]

/** Reports a setting without effect, so that the user does not rely on it. */
export function* checkNotActedOn({ has }: CheckInput): Iterable<Complaint> {
  for (const path of notActedOn) {
    if (!has(path)) continue
    yield {
      path,
      at: 'key',
      severity: 'warning',
      message: `${formatPath(path)} is accepted but has no effect yet.`,
      fix: 'Keep it for a later version, or remove it.',
    }
  }
}
