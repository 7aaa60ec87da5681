import { boundVm, boundVolumes } from '../../findings/refusals/proxmox.js'
import type { MigrationAnswer } from '../../proxmox/client/port.js'
import { migrationBlockers } from '../../proxmox/model/migration-blockers.js'
import { haChange, ownHa } from '../../vm/high-availability.js'
import { getOwned, type OwnedVm } from '../../vm/owned-vm.js'
import { findSeen } from '../../work/wanted-machine.js'
import type { WorkContext } from '../../work/work-context.js'
import { volumesBoundTo } from './bound-volumes.js'

/** Refuses while volumes in use are bound to an evacuated host, or while Proxmox cannot move one of its machines. */
export async function assertEvacuable(host: string, context: WorkContext): Promise<void> {
  const { cluster, machines } = context.desired
  if (cluster.evacuated?.includes(host)) await refuseBoundVolumes(host, context)
  for (const { machine, host: at, moveTo } of machines)
    if (at === host && moveTo !== undefined && !isStuck(machine.name, context))
      await askMove(await getOwned(machine.name, context), moveTo, context)
}

/** It does not move: a new VM replaces it on another host. */
function isStuck(machine: string, { observed }: WorkContext): boolean {
  return (findSeen(observed, machine)?.stuck ?? []).length > 0
}

/** What moves with the VM. Refuses if Proxmox reports something that cannot move. */
export async function askMove(owned: OwnedVm, to: string, context: WorkContext): Promise<MigrationAnswer> {
  const asked = await context.proxmox.machines.askMigration(owned, to, context.signal)
  const answer = { ...asked, apartFrom: asked.apartFrom.filter((sid) => isKeptApart(owned.vmid, sid, context)) }
  const blockers = blockersOf(answer, owned.vmid, to)
  if (blockers.length === 0) return answer
  const { node: machine } = owned.mark
  throw boundVm.refuse(`${machine} cannot be moved from ${owned.host} to ${to}: ${blockers.join('; ')}.`, {
    subject: { kind: 'machine', name: machine },
    where: `Proxmox host ${owned.host}, VM ${owned.vmid}`,
    fix: `Remove that from the VM, or recreate ${machine} on another host with ichor replace ${machine}. Nothing was moved.`,
  })
}

/** Our own rule that would keep the VM here is removed before it moves. Rules of others stay. */
function isKeptApart(vmid: number, sid: string, { desired, observed }: WorkContext): boolean {
  const { ha } = observed.proxmox
  if (ha?.seen !== true || desired.highAvailability === undefined) return true
  const { removed } = haChange(desired.highAvailability, ha.value, ownHa(ha.value, desired, observed))
  const going = new Set(removed.rules.map(({ id }) => id))
  const other = Number(sid.slice(sid.indexOf(':') + 1))
  return ha.value.rules.some(
    ({ id, vmids, type }) =>
      type === 'resource-affinity' && !going.has(id) && vmids.includes(vmid) && vmids.includes(other),
  )
}

function blockersOf(answer: MigrationAnswer, vmid: number, to: string): string[] {
  const { lacks, apartFrom } = answer
  return [
    ...migrationBlockers(answer, vmid),
    ...(lacks.length === 0 ? [] : [`${to} does not have ${lacks.join(', ')}`]),
    ...(apartFrom.length === 0 ? [] : [`a rule of Proxmox HA keeps it apart from ${apartFrom.join(', ')} on ${to}`]),
  ]
}

async function refuseBoundVolumes(host: string, context: WorkContext): Promise<void> {
  const volumes = await volumesBoundTo(host, context)
  if (volumes.length === 0) return
  const count = volumes.length === 1 ? '1 volume in use is' : `${volumes.length} volumes in use are`
  throw boundVolumes.refuse(`${host} cannot be evacuated: ${count} bound to it: ${volumes.join(', ')}.`, {
    subject: { kind: 'host', name: host },
    where: `the PersistentVolumes whose zone is ${host}`,
    fix: 'Nodes on other hosts cannot reach them. Move their data to volumes on a shared storage, or delete the claims, then run the same command again. Nothing was moved.',
  })
}
