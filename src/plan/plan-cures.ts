import { ifSeen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { approveCertificate } from '../steps/approve-certificate.js'
import { defragmentEtcd } from '../steps/defragment-etcd.js'
import { disarmEtcd } from '../steps/disarm-etcd.js'
import { createDraft, type StepRef } from './draft.js'
import type { PlannedStep } from './plan.js'

/** What a doctor cures, by the names of machines. */
export interface Cures {
  /** Their etcd databases are mostly unused, or full. */
  readonly defragment: readonly string[]
  /** Afterwards, the alarms of etcd are cleared. */
  readonly disarms: boolean
  /** Their kubelets wait for a certificate. */
  readonly approve: readonly string[]
  /** `up` cures them. */
  readonly machines: readonly string[]
  /** `up` installs or removes them. */
  readonly addons: readonly string[]
  /** Control planes whose etcd data is corrupt or gone: they are created again. */
  readonly replace: readonly string[]
  /** Machines whose VM has lost its mark, and gets it back once its node has proven its identity. */
  readonly remark: readonly string[]
}

/** What `up` does not do: one member after the other, the leader last. */
export function planCures(cures: Cures, desired: Desired, observed: Observed, round: number): readonly PlannedStep[] {
  const draft = createDraft(desired, observed, round)
  const etcd = ifSeen(observed.etcd)
  const leader = etcd?.owners[etcd.leader ?? '']
  const members = cures.defragment.toSorted((one, other) => Number(one === leader) - Number(other === leader))
  let last: StepRef | undefined
  for (const machine of members)
    last = draft.add(defragmentEtcd, { machine }, 'a part of its database is unused', [last])
  const [first] = members
  if (cures.disarms && first !== undefined)
    draft.add(disarmEtcd, { machine: first }, 'etcd accepts no writes while an alarm is raised', [last])
  for (const machine of cures.approve) draft.add(approveCertificate, { machine }, 'its kubelet waits for it')
  return draft.steps
}
