import { createHash } from 'node:crypto'
import { nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Datacenter, nowSeconds } from '../datacenter.js'
import { checksumTime, taskTime } from '../durations.js'
import { type Call, find, type Routes, text } from '../http/call.js'
import { cleanName } from '../http/multipart.js'
import type { StorageState } from '../state.js'
import type { Worker } from '../tasks.js'
import {
  contentOf,
  copyTimeOn,
  getStorage,
  isBlock,
  pathOf,
  placeOf,
  putVolume,
  refuseWithoutRoom,
  takeRoom,
} from './storages.js'

const extensions: Record<string, { pattern: RegExp; complaint: string }> = {
  iso: { pattern: /\.(iso|img)$/i, complaint: 'wrong file extension' },
  vztmpl: { pattern: /\.tar(\.(gz|xz|zst|bz2))?$/i, complaint: 'wrong file extension' },
  import: { pattern: /^[A-Za-z0-9.+=_-]+\.(ova|qcow2|raw|vmdk)$/, complaint: 'invalid filename or wrong extension' },
}

/** The stored name of a file, or the original's error. */
export function fileNameFor(content: string, filename: string): string {
  const name = cleanName(filename)
  const rule = extensions[content]
  if (rule !== undefined && !rule.pattern.test(name)) throw badParameters({ filename: rule.complaint })
  return name
}

function formatOfFile(content: string, filename: string): string {
  const extension = filename.split('.').at(-1) ?? ''
  if (content === 'iso') return 'iso'
  return content === 'vztmpl' ? `t${extension}` : extension
}

/** Stores a file's bytes. */
export function keepFile(
  datacenter: Datacenter,
  storage: StorageState,
  host: string,
  file: { content: string; name: string; bytes: Uint8Array; size?: number },
): void {
  const size = file.size ?? file.bytes.byteLength
  refuseWithoutRoom(datacenter, storage, host, size, `${file.content}/${file.name}`)
  takeRoom(datacenter, storage, host, size)
  putVolume(datacenter, {
    volid: `${storage.id}:${file.content}/${file.name}`,
    storage: storage.id,
    host: placeOf(storage, host),
    content: file.content,
    format: formatOfFile(file.content, file.name),
    size,
    used: size,
    ctime: nowSeconds(datacenter),
    bytes: file.bytes,
    disk: {},
  })
}

function upload(call: Call): string {
  const { datacenter, entry, identity } = call
  // The called host receives the bytes and runs the worker, which copies them to the host in the path.
  const host = targetOf(call)
  const content = text(call, 'content')
  const name = fileNameFor(content, text(call, 'filename'))
  const storage = getStorage(datacenter, text(call, 'storage'), host)
  if (isBlock(storage)) throw died(`can't upload to storage type '${storage.type}'`)
  if (!contentOf(storage).includes(content)) throw died(`storage '${storage.id}' does not support '${content}' content`)
  const bytes = call.upload?.bytes ?? new Uint8Array()
  const staged = `/var/tmp/pveupload-${datacenter.random.hex(32)}`
  const target = pathOf(storage, `${storage.id}:${content}/${name}`)
  return datacenter.tasks.start({ host: entry, type: 'imgcopy', id: '', user: nameOf(identity) }, async (worker) => {
    worker.log(`starting file import from: ${staged}`)
    await verifyChecksum(call, bytes, worker)
    worker.log(`target node: ${host}`)
    worker.log(`target file: ${target}`)
    worker.log(`file size is: ${bytes.byteLength}`)
    worker.log(`command: cp -- ${staged} ${target}`)
    await datacenter.clock.sleep(taskTime.upload, worker.signal)
    keepFile(datacenter, storage, host, { content, name, bytes: bytes.subarray(0, bytes.byteLength / 2) })
    await worker.runProgram(copyTimeOn(datacenter, storage, host, bytes.byteLength), () =>
      keepFile(datacenter, storage, host, { content, name, bytes }),
    )
    worker.log('finished file import successfully')
  })
}

function targetOf(call: Call): string {
  const named = text(call, 'node')
  return named === 'localhost' ? call.entry : named
}

async function verifyChecksum(call: Call, bytes: Uint8Array, worker: Worker): Promise<void> {
  const algorithm = find(call, 'checksum-algorithm')
  const expected = find(call, 'checksum')
  if (algorithm === undefined || expected === undefined) return
  worker.log('calculating checksum...')
  await call.datacenter.clock.sleep(checksumTime(bytes.byteLength), worker.signal)
  const actual = createHash(algorithm).update(bytes).digest('hex')
  if (actual !== expected) throw died(`checksum mismatch: got '${actual}' != expect '${expected}'`)
  worker.append('OK, checksum verified')
}

export const uploadRoutes: Routes = { 'POST /nodes/{node}/storage/{storage}/upload': upload }
