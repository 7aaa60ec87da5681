import { refuseUnsharedDisks } from '../capabilities/high-availability/high-availability-rules.js'
import type { GoalName } from '../cluster/goal-name.js'
import type { Desired } from '../desired/desired.js'
import { collectRefusals } from '../findings/refusals/collect-refusals.js'
import type { Observed } from '../observe/observed.js'
import { refuseWithoutNodes, refuseWithoutVolumes } from './addon-rules.js'
import { refuseGrowthWithoutSpace, refuseShrink } from './disk-rules.js'
import { refuseMissingMedia } from './media-rules.js'
import { refuseOtherNetworks } from './network-rules.js'
import {
  refuseAnotherPool,
  refuseConverted,
  refuseDetachedSystem,
  refuseLostMarks,
  refuseMarksOfOthers,
  refuseOtherAddresses,
  refuseOtherRoles,
  refuseProtected,
  refuseProtectedTemplates,
  refuseProtectedVms,
  refuseToLeaveBehind,
  refuseTooFewControlPlanes,
  refuseWithoutSecrets,
} from './refusals.js'
import { refuseRestore, refuseUnfinishedRestore } from './restore-rules.js'
import { refuseRotation } from './rotation-rules.js'
import { refuseUnsecuredImages } from './secure-boot-rules.js'
import { refuseStaleKeys } from './stale-keys.js'
import { refuseNoWay } from './version-rules.js'

/** Which goals a refusal blocks, and what is solved first, stands in `findings/refusals`. */
const rules: readonly ((desired: Desired, observed: Observed) => void)[] = [
  refuseWithoutSecrets,
  refuseStaleKeys,
  refuseAnotherPool,
  refuseMarksOfOthers,
  refuseLostMarks,
  refuseUnfinishedRestore,
  refuseRestore,
  refuseRotation,
  refuseToLeaveBehind,
  refuseProtected,
  refuseProtectedVms,
  refuseProtectedTemplates,
  refuseDetachedSystem,
  refuseConverted,
  refuseTooFewControlPlanes,
  refuseNoWay,
  refuseOtherRoles,
  refuseOtherAddresses,
  refuseOtherNetworks,
  refuseShrink,
  refuseGrowthWithoutSpace,
  refuseMissingMedia,
  refuseUnsecuredImages,
  refuseUnsharedDisks,
  refuseWithoutVolumes,
  refuseWithoutNodes,
]

/** Judged before anything is planned, so that all that must be solved is shown together. */
export function refuseBeforePlan(goal: GoalName, desired: Desired, observed: Observed): void {
  const refusals = collectRefusals(goal)
  for (const refuse of rules) refusals.attempt(() => refuse(desired, observed), undefined)
  refusals.finish(() => undefined)
}
