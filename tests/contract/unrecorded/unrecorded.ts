import type { Unrecorded } from './actions.js'
import { inBothVersions, inNine } from './first-recordings.js'
import { ofLeases } from './leases.js'

/** All that was done while a file was recorded. */
export function unrecordedIn(pve: 8 | 9, file: string): readonly Unrecorded[] {
  return (pve === 9 ? inNine[file] : undefined) ?? inBothVersions[file] ?? ofLeases[file] ?? []
}
