import { haChange, isHaChange, ownHa } from '../machine/high-availability.js'
import type { Observed } from '../observe/observed.js'
import { removeHighAvailability, setHighAvailability } from '../steps/high-availability.js'
import type { Draft, StepRef } from './draft.js'

/** What Proxmox HA looks after; where that could not be read, nothing of it is touched. */
export function planHighAvailability(draft: Draft, observed: Observed): StepRef | undefined {
  const { ha } = observed.proxmox
  if (ha?.seen !== true) return undefined
  const { highAvailability: wanted } = draft.desired
  const own = ownHa(ha.value, draft.desired, observed)
  if (wanted === undefined) {
    const isThere = own.resources.length + own.groups.length + own.rules.length > 0
    return isThere ? draft.add(removeHighAvailability, {}, 'placement.ha is not in the inventory any more') : undefined
  }
  if (!isHaChange(haChange(wanted, ha.value, own))) return undefined
  // HA starts whatever it is given: nobody is at work on a machine then.
  return draft.add(setHighAvailability, {}, 'placement.ha in the inventory', draft.ends())
}
