import { UserFacingError } from '../errors.js'
import { ProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { WorkContext } from '../work/work-context.js'
import type { OwnedVm } from './owned-vm.js'

export class MigrationFailed extends UserFacingError {
  readonly code = 'migration-failed'
  readonly exitCode = 1
}

/** The command that deletes disks, for root on their host. */
export function freeing(volumes: readonly string[]): string {
  return `\`${volumes.map((volid) => `pvesm free ${volid}`).join(' && ')}\``
}

/** A failed migration may leave copies of the disks on its target: the error names them, with the command that deletes them. */
export async function withCopiesLeft(
  thrown: unknown,
  { vmid }: OwnedVm,
  to: string,
  context: WorkContext,
): Promise<unknown> {
  if (!(thrown instanceof ProxmoxError) || thrown.upid === undefined || thrown.isTransient) return thrown
  const copies = await copiesOn(to, vmid, context)
  if (copies.length === 0) return thrown
  return new MigrationFailed(`${thrown.message} It left copies of the disks on ${to}: ${copies.join(', ')}.`, {
    where: thrown.where,
    fix: `Run ${freeing(copies)} as root on ${to}, then run the same command again.`,
    cause: thrown,
  })
}

/** A storage that cannot be listed does not hide why the migration failed. */
async function copiesOn(host: string, vmid: number, { proxmox, observed, signal }: WorkContext): Promise<string[]> {
  const local = observed.proxmox.storages.filter(
    (one) => one.host === host && !one.shared && one.available && one.content.includes('images'),
  )
  const found = await Promise.all(
    local.map(({ storage }) => proxmox.storage.content(host, storage, 'images', signal).catch(() => [])),
  )
  signal.throwIfAborted()
  return found.flat().flatMap((volume) => (volume.vmid === vmid ? [volume.volid] : []))
}
