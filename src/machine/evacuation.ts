import { PlanRefused } from '../errors.js'
import type { MigrationAnswer } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { volumesBoundTo } from './bound-volumes.js'
import { haChange, ownHa } from './high-availability.js'
import { getOwned, type OwnedVm } from './owned-vm.js'
import type { WorkContext } from './work-context.js'

/** Refuses while volumes in use are bound to an evacuated host, and while Proxmox cannot move one of its machines. */
export async function assertEvacuable(host: string, world: World, context: WorkContext): Promise<void> {
  const { cluster, machines } = context.desired
  if (cluster.evacuated?.includes(host)) await refuseBoundVolumes(host, world, context)
  for (const { machine, host: at, moveTo } of machines)
    if (at === host && moveTo !== undefined)
      await askMove(await getOwned(machine.name, world, context), moveTo, world, context)
}

/** What goes with the VM. Refuses when Proxmox names something that does not. */
export async function askMove(
  owned: OwnedVm,
  to: string,
  world: World,
  context: WorkContext,
): Promise<MigrationAnswer> {
  const asked = await world.proxmox.machines.askMigration(owned, to, context.signal)
  const answer = { ...asked, apartFrom: asked.apartFrom.filter((sid) => isKeptApart(owned.vmid, sid, context)) }
  const blockers = blockersOf(answer, owned.vmid, to)
  if (blockers.length === 0) return answer
  const { node: machine } = owned.mark
  throw new PlanRefused(`${machine} cannot be moved from ${owned.host} to ${to}: ${blockers.join('; ')}.`, {
    where: `Proxmox host ${owned.host}, VM ${owned.vmid}`,
    fix: `Take that off the VM, or make a new ${machine} on another host with ichor replace ${machine}. Nothing was moved.`,
  })
}

/** A rule of ours that would keep it from leaving is removed before it leaves; those of others stay. */
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

function blockersOf({ devices, localVolumes, lacks, apartFrom }: MigrationAnswer, vmid: number, to: string): string[] {
  const volids = (which: (volume: MigrationAnswer['localVolumes'][number]) => boolean) =>
    localVolumes.filter(which).map(({ volid }) => volid)
  const media = volids(({ isMedium }) => isMedium)
  const foreign = volids(({ volid, isMedium }) => !isMedium && (ownerOf(volid) ?? vmid) !== vmid)
  const clones = volids(({ volid }) => /[:/]base-\d+-/.test(volid))
  return [
    ...(devices.length === 0 ? [] : [`it uses ${devices.join(', ')} of its host`]),
    ...(media.length === 0 ? [] : [`${media.join(', ')}, which only its host has, is in its drive`]),
    ...(foreign.length === 0 ? [] : [`${foreign.join(', ')} is attached and is not its own disk`]),
    ...(clones.length === 0 ? [] : [`${clones.join(', ')} depends on a template that only its host has`]),
    ...(lacks.length === 0 ? [] : [`${to} does not have ${lacks.join(', ')}`]),
    ...(apartFrom.length === 0 ? [] : [`a rule of Proxmox HA keeps it apart from ${apartFrom.join(', ')} on ${to}`]),
  ]
}

/** The VMID in the name of a volume. */
function ownerOf(volid: string): number | undefined {
  const [, vmid] = /(?:^|[:/])vm-(\d+)-[^/]*$/.exec(volid) ?? []
  return vmid === undefined ? undefined : Number(vmid)
}

async function refuseBoundVolumes(host: string, world: World, context: WorkContext): Promise<void> {
  const volumes = await volumesBoundTo(host, world, context)
  if (volumes.length === 0) return
  const count = volumes.length === 1 ? '1 volume in use is' : `${volumes.length} volumes in use are`
  throw new PlanRefused(`${host} cannot be evacuated: ${count} bound to it: ${volumes.join(', ')}.`, {
    where: `the PersistentVolumes whose zone is ${host}`,
    fix: 'Nodes on other hosts cannot reach them. Move their data to volumes on a shared storage, or delete the claims, then run the same command again. Nothing was moved.',
  })
}
