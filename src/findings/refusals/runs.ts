import { defineRefusal, every } from './define-refusal.js'

export const changedSinceShown = defineRefusal({
  code: 'ICH0370',
  name: 'Something has changed since the plan was shown',
  phase: 'in-plan',
  blocks: every,
  detail: 'Consent covers the steps that were shown, what they write and what they lose.',
})

export const notConverging = defineRefusal({
  code: 'ICH0371',
  name: 'The same steps are left after they were done',
  phase: 'in-plan',
  blocks: every,
  detail: 'Something undoes them.',
})

export const tooManyRounds = defineRefusal({
  code: 'ICH0372',
  name: 'There is still something to do after many rounds',
  phase: 'in-plan',
  blocks: every,
  detail: 'A run has a limit, so that it never repeats itself forever.',
})

export const earlierPlan = defineRefusal({
  code: 'ICH0373',
  name: 'A plan file was made by an earlier ichor',
  phase: 'inventory',
  blocks: ['up'],
  detail: 'What it approves is written in another form.',
})

export const unsealedPlan = defineRefusal({
  code: 'ICH0374',
  name: 'A plan file has no valid seal',
  phase: 'inventory',
  blocks: ['up'],
  detail: 'An approval is valid only with the seal of the cluster secrets.',
})

export const changedInventory = defineRefusal({
  code: 'ICH0375',
  name: 'The inventory has changed since the plan',
  phase: 'inventory',
  blocks: ['up'],
  detail: 'An approval covers exactly the inventory that the plan was made from.',
})

export const changedCluster = defineRefusal({
  code: 'ICH0376',
  name: 'The cluster has changed since the plan',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'An approval covers exactly the approved steps, what they write and what they lose.',
})

export const expiredApproval = defineRefusal({
  code: 'ICH0378',
  name: 'An approval has expired',
  phase: 'inventory',
  blocks: ['up'],
  detail: 'A plan file is valid for 72 hours: what it was read for may no longer hold.',
})

export const usedApproval = defineRefusal({
  code: 'ICH0379',
  name: 'An approval was used already',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'A plan file is carried out once. The ledger in the note of the lease names those that were.',
})

export const withoutDrillBridge = defineRefusal({
  code: 'ICH0377',
  name: 'There is no bridge for the machine of a drill',
  phase: 'inventory',
  blocks: ['drill'],
  detail: 'The machine has the identity of a control plane, and must not reach the cluster.',
})

export const notIsolated = defineRefusal({
  code: 'ICH0380',
  name: 'The bridge of a drill is not isolated',
  phase: 'in-plan',
  blocks: every,
  detail: 'The restored control plane would act in the real cluster.',
})

export const drillWithoutImages = defineRefusal({
  code: 'ICH0381',
  name: 'The machine of a drill cannot pull images',
  phase: 'in-plan',
  blocks: every,
  detail: 'It has no gateway.',
})

export const drillIsKnown = defineRefusal({
  code: 'ICH0382',
  name: 'The snapshot has a node with the name of the drill',
  phase: 'in-plan',
  blocks: every,
  detail: 'The machine of the drill would start its pods.',
})

export const otherHostConfirmed = defineRefusal({
  code: 'ICH0383',
  name: 'Another host was confirmed as lost',
  phase: 'in-plan',
  blocks: every,
  detail: 'Two machines with one identity must never run.',
})

export const tokenInUse = defineRefusal({
  code: 'ICH0384',
  name: 'A run is using the token',
  phase: 'in-plan',
  blocks: every,
  detail: 'It would fail halfway.',
})

export const dataLoss = defineRefusal({
  code: 'ICH0385',
  name: 'Data would be lost',
  phase: 'in-plan',
  blocks: every,
  detail: 'Deleting data needs a consent of its own.',
})

export const leaseHeld = defineRefusal({
  code: 'ICH0386',
  name: 'Another run is in progress',
  phase: 'in-plan',
  blocks: every,
  detail: 'Two runs at once would undo the work of each other.',
})
