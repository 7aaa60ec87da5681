import type { StorageState, VolumeState } from '../state.js'
import { pathOf } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { type Archive, deviceOf } from './archive.js'

const decompressors: Record<string, string> = {
  zst: 'zstd -q -d -c',
  gz: 'zcat',
  lzo: 'lzop -d -c',
}

/** The log of the extraction before it writes anything. */
export function tellHeader(archive: Archive, source: VolumeState, storage: StorageState, worker: Worker): void {
  const path = pathOf(storage, source.volid)
  const tool = decompressors[source.format.split('.')[1] ?? '']
  const [reader, from] = tool === undefined ? ['', path] : [`${tool} ${path} | `, '-']
  worker.log(`restore vma archive: ${reader}vma extract -v -r /var/tmp/vzdumptmp.fifo ${from} /var/tmp/vzdumptmp`)
  worker.log(`CFG: size: ${JSON.stringify(archive.config).length} name: qemu-server.conf`)
  archive.disks.forEach(({ key, size }, i) => {
    worker.log(`DEV: dev_id=${i + 1} size: ${size} devname: ${deviceOf(key)}`)
  })
  worker.log(`CTIME: ${new Date(source.ctime * 1000).toUTCString()}`)
}

/** The log when everything is written. */
export function tellProgress({ disks }: Archive, worker: Worker): void {
  const size = disks.reduce((sum, disk) => sum + disk.size, 0)
  const used = disks.reduce((sum, disk) => sum + disk.used, 0)
  if (disks.length === 0) return
  worker.log(`progress 100% (read ${size} bytes, duration 1 sec)`)
  worker.log(`total bytes read ${size}, sparse bytes ${size - used} (${Math.floor(((size - used) / size) * 100)}%)`)
}
