import { lookupBy } from '../cluster/lookup.js'
import { clusterComment } from '../cluster/tag.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'
import type { BackupJob } from '../proxmox/client/port.js'
import type { DesiredMachine } from './desired.js'

/** The inventory's settings for backups of whole machines. */
export interface MachineBackups {
  /** In Proxmox's syntax, such as `sun 02:00`. */
  readonly schedule: string
  readonly datastore: string
  readonly keep: number
  /** Includes guests of the inventory. */
  readonly guests: boolean
  readonly control_planes: boolean
}

/** The facts about a machine or guest that its backup needs. */
export interface BackedUpVm {
  readonly vmid: number
  readonly kind: 'controlplane' | 'worker' | 'guest'
  /** It has disks other than the Talos disk. */
  readonly hasData: boolean
}

const guestByName = lookupBy(({ name }: Observed['proxmox']['guests'][number]) => name)

/** The Proxmox backup job for an inventory. */
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
 * The backup job of a cluster, or none. Workers are included for their data disks: everything else on a node is
 * recreated from the inventory. Control planes only on request: restoring one would put an old etcd member into a
 * running cluster, and its image holds the keys of every CA.
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
