import { majority } from '../cluster/quorum.js'
import type { DesiredMachine } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { Observed } from '../observe/observed.js'
import type { Draft } from './draft.js'
import { findMember } from './etcd-member.js'

/**
 * What a machine that is gone for ever, or begins again with an empty disk, left behind: its etcd member and its node. They
 * go before the new one starts, so that it joins as what it is. Gives what its start must wait for.
 */
export function planLost(draft: Draft, wanted: DesiredMachine, observed: Observed, lost: 'VM' | 'disk'): string[] {
  const { name: machine, identity } = wanted.machine
  refuseTwins(machine, observed)
  const { role } = wanted.machine
  const member =
    role === 'controlplane' ? findMember(observed, { names: [machine], address: wanted.address }) : undefined
  const node = observed.kubernetes?.nodes.find(({ systemUuid }) => systemUuid.toLowerCase() === identity.uuid)
  if (lost === 'VM') refuseHidden(machine, observed, member !== undefined || node !== undefined)
  const reason = lost === 'VM' ? `the VM of ${machine} is gone` : `the system disk of ${machine} is gone`
  if (member !== undefined) refuseWithoutMajority(machine, observed)
  return [
    ...(member === undefined ? [] : [draft.add('remove-etcd-member', { machine, member: member.id }, reason)]),
    ...(node === undefined ? [] : [draft.add('delete-node', { machine, node: node.name }, reason)]),
  ]
}

/** Two VMs with one UUID or MAC would be one machine twice. */
function refuseTwins(machine: string, { unverified }: Observed): void {
  const twin = unverified.find(({ holds }) => holds === machine)
  if (twin === undefined) return
  throw new PlanRefused(`${machine} cannot be made: VM ${twin.vmid} on ${twin.host} has its UUID or MAC already.`, {
    where: twin.text,
    fix: `If VM ${twin.vmid} is a restored backup or a copy, give it another UUID and MAC or delete it; it is never touched by ichor.`,
  })
}

/** A machine that was there may be what the token does not see: taken out of its pool, or moved by somebody. */
function refuseHidden(machine: string, { proxmox, secrets, kubernetes, etcd }: Observed, isRemembered: boolean): void {
  const isUnknown = secrets.bootstrapped && kubernetes === undefined && etcd === undefined
  const hidden = proxmox.hidden?.find((one) => one.machine === machine)
  if (hidden === undefined || !(isRemembered || isUnknown)) return
  throw new PlanRefused(
    `${machine} may still be there: VMID ${hidden.vmid} has a guest that this token does not see.`,
    {
      where: `VM ${hidden.vmid}`,
      fix: `If it is ${machine}, put it back into the pool of the cluster. Else grant the token VM.Audit on /vms/${hidden.vmid}, so that ichor sees whose it is.`,
    },
  )
}

function refuseWithoutMajority(machine: string, { etcd }: Observed): void {
  const { members = [], healthy = [] } = etcd ?? {}
  const needed = majority(members.length)
  if (healthy.length >= needed) return
  throw new PlanRefused(
    `${machine} is gone, and etcd has lost its majority: ${healthy.length} of ${members.length} members are healthy, ${needed} are needed.`,
    {
      where: `machine ${machine}`,
      fix: 'Bring another control plane back first. With a snapshot of etcd, talosctl bootstrap --recover-from brings it back; ichor restore is not built yet.',
    },
  )
}
