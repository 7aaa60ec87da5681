import { lookupBy } from '../../cluster/lookup.js'
import type { Machine } from '../../cluster/machine.js'
import { ifSeen } from '../../cluster/seen.js'
import type { DesiredMachine } from '../../desired/desired.js'
import { findMember } from '../../etcd/etcd-members.js'
import { wasBootstrapped } from '../../etcd/was-bootstrapped.js'
import { duplicateVm, hiddenVm } from '../../findings/refusals/machines.js'
import type { NodeInfo } from '../../kubernetes/port.js'
import type { HiddenVmid, Observed, UnverifiedVm } from '../../observe/observed.js'
import { deleteNode } from '../../steps/delete-node.js'
import { removeEtcdMember } from '../../steps/remove-etcd-member.js'
import type { Draft, StepRef } from '../draft.js'
import { canDecideEtcd, isMadeControlPlaneSilent } from '../etcd/etcd-facts.js'
import { neededVotes } from '../etcd/needed-votes.js'
import { refuseWithoutMajority } from '../lost-majority.js'

const none: readonly never[] = []
const nodeByUuid = lookupBy(({ systemUuid }: NodeInfo) => systemUuid.toLowerCase())
const vmByMachine = lookupBy(({ holds }: UnverifiedVm) => holds)
const hiddenByMachine = lookupBy(({ machine }: HiddenVmid) => machine)

/** What a new or wiped machine waits for; `unknown` while its leftovers cannot be observed. */
export type LeftBehind = readonly StepRef[] | 'unknown'

/**
 * Leftovers of a machine that is lost or starts again with an empty disk: its etcd member and its node. They are
 * removed before the new machine starts, so that it can join.
 */
export function planLost(draft: Draft, wanted: DesiredMachine, observed: Observed, lost: 'VM' | 'disk'): LeftBehind {
  const { name: machine, identity, role } = wanted.machine
  refuseDuplicates(machine, observed)
  const {
    restore,
    intent: { newEtcd = false },
  } = draft.desired.cluster
  const isKnown = canDecideEtcd(observed, newEtcd || restore !== undefined)
  const isAnyUnresponsive = isMadeControlPlaneSilent(observed) || draft.desired.away.some(isControlPlane)
  const mayHaveJoined = wasBootstrapped(observed) || isAnyUnresponsive
  if (role === 'controlplane' && mayHaveJoined && !isKnown) return 'unknown'
  const etcd = ifSeen(observed.etcd)
  const member =
    role === 'controlplane' && etcd !== undefined
      ? findMember(etcd, { name: machine, address: wanted.address })
      : undefined
  const node = nodeByUuid(ifSeen(observed.kubernetes)?.nodes ?? none, identity.uuid)
  if (lost === 'VM') refuseHidden(machine, observed, member !== undefined || node !== undefined)
  const reason = lost === 'VM' ? `the VM of ${machine} is gone` : `${machine} has no system disk any more`
  if (member !== undefined && neededVotes(draft, observed).length > 0) return 'unknown'
  if (member !== undefined && etcd !== undefined) refuseWithoutMajority([machine], etcd)
  return [
    ...(member === undefined ? [] : [draft.add(removeEtcdMember, { machine }, reason)]),
    ...(node === undefined ? [] : [draft.add(deleteNode, { machine, node: node.name }, reason)]),
  ]
}

function isControlPlane({ machine }: { readonly machine: Pick<Machine, 'role'> }): boolean {
  return machine.role === 'controlplane'
}

/** Two VMs with the same UUID or MAC address would be the same machine twice. */
function refuseDuplicates(machine: string, { unverified }: Observed): void {
  const twin = vmByMachine(unverified, machine)
  if (twin === undefined) return
  throw duplicateVm.refuse(
    `${machine} cannot be created: VM ${twin.vmid} on ${twin.host} already has its UUID or MAC.`,
    {
      subject: { kind: 'machine', name: machine },
      where: twin.text,
      fix: `If VM ${twin.vmid} is a restored backup or a copy, give it another UUID and MAC or delete it; it is never touched by ichor.`,
    },
  )
}

/** A machine that existed may be hidden from the token because its VM was removed from the pool or moved. */
function refuseHidden(machine: string, observed: Observed, isRemembered: boolean): void {
  const { proxmox, kubernetes, etcd } = observed
  const isUnknown = wasBootstrapped(observed) && !(kubernetes.seen && etcd.seen)
  const hidden = hiddenByMachine(proxmox.hidden ?? none, machine)
  if (hidden === undefined || !(isRemembered || isUnknown)) return
  throw hiddenVm.refuse(
    `${machine} may still be there: VMID ${hidden.vmid} has a guest that this token does not see.`,
    {
      subject: { kind: 'machine', name: machine },
      where: `VM ${hidden.vmid}`,
      fix: `If it is ${machine}, put it back into the pool of the cluster. Else grant the token VM.Audit on /vms/${hidden.vmid}, so that ichor can identify it.`,
    },
  )
}
