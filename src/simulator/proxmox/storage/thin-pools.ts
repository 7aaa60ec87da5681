import type { Call, Routes } from '../http/call.js'
import { capacityOf, isDisabled, isOnHost } from './storages.js'

/** A mapped chunk of 64 KiB takes about 64 bytes of metadata. */
const dataPerMetadata = 1024
const metadataSize = 1024 ** 3

/** Thin pools exist whether a storage is defined on them or not; the lab knows those of its storages. */
function list({ datacenter, host }: Call): unknown[] {
  const { state, trouble } = datacenter
  return Object.values(state.storages)
    .filter((storage) => storage.type === 'lvmthin' && !isDisabled(storage) && isOnHost(storage, host))
    .map((storage) => {
      const { total, used } = capacityOf(datacenter, storage, host)
      const filled = trouble.filledMetadata.get(`${host}|${storage.id}`)
      const { vgname: vg = 'pve', thinpool: lv = 'data' } = storage.options
      return {
        vg,
        lv,
        lv_size: total,
        lv_state: 'a',
        lv_type: 't',
        used,
        metadata_size: metadataSize,
        metadata_used: Math.round(filled === undefined ? used / dataPerMetadata : filled * metadataSize),
      }
    })
}

export const thinPoolRoutes: Routes = { 'GET /nodes/{node}/disks/lvmthin': list }
