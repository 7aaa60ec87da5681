import type { Complaint } from '../complaint.js'
import { formatPath, type Path } from '../path.js'
import type { CheckInput } from './check.js'

/** Keys that are checked like all others and that nothing reads yet. Whoever implements one removes its line. */
const notActedOn: readonly Path[] = [['watch']]

/** A setting without effect is reported: nobody should rely on it. */
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
