import { nameOf } from '../access/permissions.js'
import { died } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, must, type Routes, text } from '../http/call.js'
import type { StorageState, VolumeState } from '../state.js'
import { contentOf, dropVolume, getStorage, volumesOn } from '../storage/storages.js'
import { type Mark, markBackups, parseRetention, type Retention } from './retention.js'

interface Judged {
  readonly volume: VolumeState
  readonly mark: Mark
}

/** The backups on a storage, of one guest or of all. */
export function backupsOn(
  datacenter: Datacenter,
  storage: StorageState,
  host: string,
  vmid: number | undefined,
): VolumeState[] {
  return volumesOn(datacenter, storage, host)
    .filter(({ content }) => content === 'backup')
    .filter((volume) => vmid === undefined || volume.vmid === vmid)
    .sort((a, b) => (a.volid < b.volid ? -1 : 1))
}

/** The effect of the retention on each backup, per guest. */
function judge(volumes: readonly VolumeState[], retention: Retention): Judged[] {
  const guests = new Set(volumes.map(({ vmid }) => vmid))
  const marks = new Map(
    [...guests].flatMap((vmid) => {
      const backups = volumes
        .filter((volume) => volume.vmid === vmid)
        .map((volume) => ({ volid: volume.volid, ctime: volume.ctime, isProtected: volume.protected === true }))
      return [...markBackups(backups, retention)].map(([{ volid }, mark]): [string, Mark] => [volid, mark])
    }),
  )
  return volumes.map((volume) => ({ volume, mark: marks.get(volume.volid) ?? 'keep' }))
}

/** Removes what the retention does not cover, and returns the number removed. */
export function prune(
  datacenter: Datacenter,
  volumes: readonly VolumeState[],
  retention: Retention,
  log: (line: string) => void,
): number {
  const removed = judge(volumes, retention).filter(({ mark }) => mark === 'remove')
  for (const { volume } of removed) {
    log(`removing backup '${volume.volid}'`)
    dropVolume(datacenter, volume)
  }
  return removed.length
}

function asked(call: Call): { volumes: VolumeState[]; retention: Retention } {
  const { datacenter, host } = call
  const storage = getStorage(datacenter, text(call, 'storage'), host)
  if (!contentOf(storage).includes('backup')) throw died(`storage '${storage.id}' does not support backups`)
  const keep = find(call, 'prune-backups') ?? storage.options['prune-backups']
  if (keep === undefined) throw died(`no prune-backups options configured for storage '${storage.id}'`)
  const vmid = find(call, 'vmid')
  const isOther = find(call, 'type') === 'lxc'
  const volumes = isOther ? [] : backupsOn(datacenter, storage, host, vmid === undefined ? undefined : Number(vmid))
  return { volumes, retention: parseRetention(keep) }
}

function dryRun(call: Call): unknown[] {
  const { volumes, retention } = asked(call)
  return judge(volumes, retention).map(({ volume: { volid, ctime, vmid }, mark }) => ({
    volid,
    ctime,
    mark,
    type: 'qemu',
    vmid,
  }))
}

function remove(call: Call): string {
  const { datacenter, host, identity } = call
  const storage = text(call, 'storage')
  const vmid = find(call, 'vmid')
  must(call, `/storage/${storage}`, [vmid === undefined ? 'Datastore.Allocate' : 'Datastore.AllocateSpace'])
  if (vmid !== undefined) must(call, `/vms/${vmid}`, ['VM.Backup'])
  const id = vmid === undefined ? storage : `${vmid}@${storage}`
  return datacenter.tasks.start({ host, type: 'prunebackups', id, user: nameOf(identity) }, async (worker) => {
    const { volumes, retention } = asked(call)
    prune(datacenter, volumes, retention, (line) => worker.log(line))
  })
}

export const pruneBackupsRoutes: Routes = {
  'GET /nodes/{node}/storage/{storage}/prunebackups': dryRun,
  'DELETE /nodes/{node}/storage/{storage}/prunebackups': remove,
}
