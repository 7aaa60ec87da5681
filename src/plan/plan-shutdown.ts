import { ifSeen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { hasMajority } from '../etcd/etcd-members.js'
import { wasBootstrapped } from '../etcd/was-bootstrapped.js'
import { noLastSnapshot } from '../findings/refusals/backups.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { shutDownGuest } from '../steps/guest-power.js'
import { shutDownMachine } from '../steps/shut-down-machine.js'
import { shutdownNote } from '../vm/shutdown-note.js'
import type { Draft, StepRef } from './draft.js'
import { planSnapshot } from './upgrade/plan-upgrade.js'

/** Snapshot, workers, control planes, guests. A machine that is off already is only noted. */
export function planShutdown(draft: Draft, observed: Observed): void {
  const saved = planLastSnapshot(draft, observed)
  const workers = observed.machines.filter(({ mark }) => mark.role === 'worker')
  const controlPlanes = observed.machines.filter(({ mark }) => mark.role === 'controlplane')
  const first = workers.flatMap((seen) => planOff(draft, seen, [saved]))
  const last = controlPlanes.flatMap((seen) => planOff(draft, seen, [saved, ...first]))
  for (const { name: guest, vmid } of runningGuests(draft.desired, observed))
    draft.add(shutDownGuest, { guest, vmid }, 'requested, after all machines', [saved, ...first, ...last])
}

function planOff(draft: Draft, seen: ObservedMachine, before: readonly (StepRef | undefined)[]): StepRef[] {
  const { name: machine, status, mark } = seen
  const isManaged = isStartedByHa(seen, draft.observed)
  if (status === 'stopped' && shutdownNote(mark) !== undefined && !isManaged) return []
  const reason = status === 'running' ? reasonFor(seen) : 'it is off already, and stays off'
  return [draft.add(shutDownMachine, { machine }, reason, before)]
}

function reasonFor({ mark }: ObservedMachine): string {
  return mark.role === 'worker'
    ? 'the cluster is shut down, workers first'
    : 'the cluster is shut down, control planes last'
}

function isStartedByHa({ vmid }: ObservedMachine, { proxmox: { ha } }: Observed): boolean {
  return ha?.seen === true && ha.value.resources.some((one) => one.vmid === vmid && one.state !== 'ignored')
}

/** An interrupted shutdown took it before the first machine went down. */
function planLastSnapshot(draft: Draft, observed: Observed): StepRef | undefined {
  const { machines } = observed
  const isBegun = machines.some(({ status, mark }) => status === 'stopped' && shutdownNote(mark) !== undefined)
  const isRunning = machines.some(({ status, mark }) => status === 'running' && mark.role === 'controlplane')
  const isWanted = draft.desired.cluster.shutdown?.takesSnapshot === true
  if (!isWanted || isBegun || !isRunning || !wasBootstrapped(observed)) return undefined
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined || !hasMajority(etcd)) {
    throw noLastSnapshot.refuse('No snapshot of etcd can be taken: it has no majority, or does not answer.', {
      subject: { kind: 'cluster', name: draft.desired.cluster.name },
      where: `cluster ${draft.desired.cluster.name}`,
      fix: 'ichor shutdown --no-snapshot shuts the cluster down without one.',
    })
  }
  return planSnapshot(draft, observed, 'the shutdown', [], 'to be able to restore if a machine does not come back')
}

/** Created by ichor, with the name and the VMID of the inventory, and running. */
function runningGuests({ cluster: { shutdown } }: Desired, { proxmox }: Observed): { name: string; vmid: number }[] {
  const wanted = shutdown?.guests ?? []
  return wanted.flatMap(({ name, vmid }) => {
    const there = proxmox.guests.filter(
      (one) => one.kind === 'qemu' && one.name === name && (vmid === undefined || one.vmid === vmid),
    )
    const [found] = there
    return found?.status === 'running' && there.length === 1 ? [{ name, vmid: found.vmid }] : []
  })
}
