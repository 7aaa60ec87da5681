import type { ClusterState } from '../../page/state.js'

/** Looks that may be missed before what is shown counts as old. */
const missedLooks = 3

/** Whether three looks were missed since then. A file without a server is as of its date, and never old. */
export function isOld(
  at: string | null,
  { every_ms: every, snapshot }: Pick<ClusterState, 'every_ms' | 'snapshot'>,
  now: number,
): boolean {
  if (at === null || every === 0) return false
  return now - Date.parse(at) > missedLooks * every + (snapshot?.took_ms ?? 0)
}
