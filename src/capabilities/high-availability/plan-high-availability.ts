import type { Observed } from '../../observe/observed.js'
import type { Draft, StepRef } from '../../plan/draft.js'
import { haChange, isHaChange, ownHa } from '../../vm/high-availability.js'
import { dropHaRules, removeHighAvailability, setHighAvailability } from './set-high-availability.js'

/**
 * Rules that are no longer wanted. Removed first, because machines that they kept apart may be about to share a host.
 */
export function planDroppedRules(draft: Draft, observed: Observed): void {
  const { ha } = observed.proxmox
  const { highAvailability: wanted } = draft.desired
  if (ha?.seen !== true || wanted === undefined || draft.desired.away.length > 0) return
  const { removed } = haChange(wanted, ha.value, ownHa(ha.value, draft.desired, observed))
  if (removed.rules.length > 0) draft.add(dropHaRules, {}, 'removed from the inventory')
}

/** Resources managed by Proxmox HA. Left unchanged if these or one of the machines could not be read. */
export function planHighAvailability(draft: Draft, observed: Observed): StepRef | undefined {
  const { ha } = observed.proxmox
  const { highAvailability: wanted, away } = draft.desired
  if (ha?.seen !== true || away.length > 0) return undefined
  const own = ownHa(ha.value, draft.desired, observed)
  if (wanted === undefined) {
    const isThere = own.resources.length + own.groups.length + own.rules.length > 0
    return isThere ? draft.add(removeHighAvailability, {}, 'placement.ha was removed from the inventory') : undefined
  }
  const { set, removed } = haChange(wanted, ha.value, own)
  if (!isHaChange({ set, removed: { ...removed, rules: [] } })) return undefined
  // HA starts every machine that it manages, so no other step may be working on the machine.
  return draft.add(setHighAvailability, {}, 'placement.ha in the inventory', draft.ends())
}
