import type { Unrecorded } from './actions.js'
import { inBothVersions, inNine } from './first-recordings.js'
import { ofLeases } from './leases.js'

/** Before a file begins, or before an exchange of it. */
export function unrecordedBefore(pve: 8 | 9, file: string, title?: string): readonly Unrecorded[] {
  const all = (pve === 9 ? inNine[file] : undefined) ?? inBothVersions[file] ?? ofLeases[file] ?? []
  return all.filter(({ before }) => before === title)
}
