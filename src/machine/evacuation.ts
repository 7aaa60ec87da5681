import { PlanRefused } from '../errors.js'
import type { MigrationAnswer } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { volumesBoundTo } from './bound-volumes.js'
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
  { signal }: WorkContext,
): Promise<MigrationAnswer> {
  const answer = await world.proxmox.machines.askMigration(owned, to, signal)
  const blockers = blockersOf(answer, owned.vmid, to)
  if (blockers.length === 0) return answer
  const { node: machine } = owned.mark
  throw new PlanRefused(`${machine} cannot be moved from ${owned.host} to ${to}: ${blockers.join('; ')}.`, {
    where: `Proxmox host ${owned.host}, VM ${owned.vmid}`,
    fix: `Take that off the VM, or make a new ${machine} on another host with ichor replace ${machine}. Nothing was moved.`,
  })
}

function blockersOf({ devices, localVolumes, lacks }: MigrationAnswer, vmid: number, to: string): string[] {
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
