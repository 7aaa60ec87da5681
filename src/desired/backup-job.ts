import { lookupBy } from '../cluster/lookup.js'
import { clusterComment } from '../cluster/tag.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'
import type { BackupJob } from '../proxmox/client/port.js'
import type { DesiredMachine } from './desired.js'

/** What the inventory specifies about backups of whole machines. */
export interface MachineBackups {
  /** In Proxmox's own words, such as `sun 02:00`. */
  readonly schedule: string
  readonly datastore: string
  readonly keep: number
  /** Guests of the inventory, too. */
  readonly guests: boolean
  readonly control_planes: boolean
}

/** A machine or guest as far as its backup goes. */
export interface BackedUpVm {
  readonly vmid: number
  readonly kind: 'controlplane' | 'worker' | 'guest'
  /** It has disks beside the one that Talos is on. */
  readonly hasData: boolean
}

const guestByName = lookupBy(({ name }: Observed['proxmox']['guests'][number]) => name)

/** The backup job that Proxmox is to have for an inventory. */
export function backupJobOf(
  { settings, guests }: Inventory,
  machines: readonly DesiredMachine[],
  { proxmox }: Observed,
): BackupJob | undefined {
  const known = guests.flatMap(({ name, vmid }): BackedUpVm[] => {
    const found = vmid ?? guestByName(proxmox.guests, name)?.vmid
    return found === undefined ? [] : [{ vmid: found, kind: 'guest', hasData: true }]
  })
  const own = machines.map(
    ({ machine, vmid, disks }): BackedUpVm => ({ vmid, kind: machine.role, hasData: disks.length > 1 }),
  )
  return desiredJob(settings.cluster_name, settings.backup.machines, [...own, ...known])
}

/**
 * The backup job of a cluster, or none. Workers are in it for their data disks: everything else on a node is made again
 * from the inventory. Control planes only on request: restoring one would put an old etcd member into a living cluster, and
 * its image holds the keys of every authority.
 * @internal
 */
export function desiredJob(
  cluster: string,
  backups: MachineBackups | undefined,
  vms: readonly BackedUpVm[],
): BackupJob | undefined {
  if (backups === undefined) return undefined
  const { schedule, datastore, keep } = backups
  const vmids = vms
    .filter((vm) => isBackedUp(vm, backups))
    .map(({ vmid }) => vmid)
    .sort((one, other) => one - other)
  if (vmids.length === 0) return undefined
  return {
    id: jobIdOf(cluster),
    schedule,
    storage: datastore,
    enabled: true,
    what: { vmids },
    settings: {
      mode: 'snapshot',
      compress: 'zstd',
      'prune-backups': `keep-last=${keep}`,
      'notes-template': '{{guestname}}',
      comment: clusterComment(cluster),
    },
  }
}

function isBackedUp({ kind, hasData }: BackedUpVm, { guests, control_planes: controlPlanes }: MachineBackups): boolean {
  if (kind === 'guest') return guests
  return kind === 'worker' ? hasData : controlPlanes
}

function jobIdOf(cluster: string): string {
  return `ichor-${cluster}-machines`
}
