import { nameOf } from '../access/permissions.js'
import { badParameters, died, taskText } from '../api-error.js'
import { type Datacenter, getRunnable, refuseWithoutQuorum } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, flag, must, number, type Routes, vmidOf } from '../http/call.js'
import type { VmState, VolumeState } from '../state.js'
import { allocateImage, formatOn, getImage } from '../storage/images.js'
import { contentOf, copyTimeOn, dropVolume, findVolume, getStorage, isShared, pathOf } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { allocateCloudInit } from './cloud-init.js'
import { emptyVm, macPrefix, refuseMissingPool } from './create.js'
import { type Drive, isCdrom, isCloudInit, isDriveKey, parseDrive, printDrive, printSize, storageOf } from './drive.js'
import { copyWithProgress, logAllocation } from './fill-drive.js'
import { isAgentEnabled } from './hardware.js'
import { isNetKey, newMac, parseNet, printNet } from './net.js'
import { refuseBridge } from './option-rights.js'
import { enterPool } from './pool-entry.js'
import { refuseIfLocked } from './start.js'

interface Cloning {
  readonly call: Call
  readonly source: VmState
  readonly target: VmState
  readonly isFull: boolean
  /** The config that is copied: the VM's own, or a snapshot's. */
  readonly config: Readonly<Record<string, string>>
}

/** POST …/clone: the checks; the copy is a task of the source. */
function clone(call: Call): string {
  const { datacenter, host, identity } = call
  refuseWithoutQuorum(datacenter)
  const vmid = vmidOf(call)
  const newid = number(call, 'newid')
  refuseMissingPool(call, find(call, 'pool'))
  const source = getRunnable(datacenter, host, vmid)
  const config = sourceConfig(call, source)
  const isFull = find(call, 'full') === undefined ? source.config.template !== '1' : flag(call, 'full')
  refuseStorage(call, isFull)
  refuseTarget(call, source, config)
  refuseIfLocked(source)
  refuseRights(call, config, isFull)
  const taken = datacenter.state.vms[String(newid)]
  if (taken !== undefined)
    throw died(
      taken.host === host
        ? `unable to create VM ${newid}: config file already exists`
        : `close (rename) atomic file '/etc/pve/nodes/${host}/qemu-server/${newid}.conf' failed: File exists`,
    )
  if (!isFull) refuseUnlinkable(datacenter, source, config)
  return datacenter.tasks.start({ host, type: 'qmclone', id: String(vmid), user: nameOf(identity) }, (worker) =>
    datacenter.locks.hold(vmLockFile(newid), 1000, () => {
      const target = reserveClone(datacenter, newid, host)
      return makeClone({ call, source, target, isFull, config }, worker)
    }),
  )
}

/** The worker takes the VMID: it may have been taken since the call was checked. */
function reserveClone(
  { state, clock, trouble: { statisticsDelayMs } }: Datacenter,
  newid: number,
  host: string,
): VmState {
  if (state.vms[String(newid)] !== undefined) throw died(`unable to create VM ${newid}: config file already exists`)
  const target = emptyVm(newid, host, clock.now(), clock.now() + statisticsDelayMs)
  target.config = { lock: 'clone', description: ' qmclone temporary file' }
  state.vms[String(newid)] = target
  return target
}

function sourceConfig(call: Call, source: VmState): Readonly<Record<string, string>> {
  const snapname = find(call, 'snapname')
  if (snapname === undefined) return source.config
  const snapshot = source.snapshots[snapname]
  if (snapshot === undefined) throw died(`snapshot '${snapname}' does not exist`)
  return snapshot.config
}

function refuseStorage(call: Call, isFull: boolean): void {
  const id = find(call, 'storage')
  if (!isFull && id !== undefined) throw died("parameter 'storage' not allowed for linked clones")
  if (!isFull && find(call, 'format') !== undefined) throw died("parameter 'format' not allowed for linked clones")
  if (id === undefined) return
  const storage = getStorage(call.datacenter, id, call.host)
  if (!contentOf(storage).includes('images'))
    throw badParameters({ storage: `storage '${id}' does not support vm images` })
}

function refuseTarget(call: Call, source: VmState, config: Readonly<Record<string, string>>): void {
  const { datacenter } = call
  const target = find(call, 'target')
  if (target === undefined || target === call.host) return
  if (datacenter.state.hosts[target] === undefined) throw died(`no such cluster node '${target}'`)
  const wanted = find(call, 'storage')
  const local = drivesOf(datacenter, config).find(({ file }) => {
    const storage = datacenter.state.storages[storageOf(file) ?? '']
    return storage !== undefined && !isShared(storage)
  })
  if (local !== undefined && wanted === undefined)
    throw died(`can't clone VM to node '${target}' (VM uses local storage)`)
  const storage = wanted === undefined ? undefined : datacenter.state.storages[wanted]
  if (storage !== undefined && !isShared(storage)) throw died(`can't clone to non-shared storage '${storage.id}'`)
  if (source.running && local !== undefined) throw died(`can't clone VM to node '${target}' (VM uses local storage)`)
}

function refuseRights(call: Call, config: Readonly<Record<string, string>>, isFull: boolean): void {
  const storage = find(call, 'storage')
  for (const drive of drivesOf(call.datacenter, config)) {
    if (isCdrom(drive)) continue
    must(call, `/storage/${(isFull ? storage : undefined) ?? storageOf(drive.file) ?? ''}`, ['Datastore.AllocateSpace'])
  }
  for (const [key, value] of Object.entries(config)) if (isNetKey(key)) refuseBridge(call, value)
}

function drivesOf({ pve }: Datacenter, config: Readonly<Record<string, string>>): Drive[] {
  return Object.keys(config)
    .filter(isDriveKey)
    .sort()
    .map((key) => parseDrive(pve, key, config[key] ?? ''))
}

function refuseUnlinkable(datacenter: Datacenter, source: VmState, config: Readonly<Record<string, string>>): void {
  for (const drive of drivesOf(datacenter, config)) {
    if (isCdrom(drive)) continue
    const isBase = /base-\d+-disk-/.test(drive.file)
    if (!isBase) throw died(`Linked clone feature is not supported for '${drive.file}' (${drive.key})`)
    findVolume(datacenter, drive.file, source.host)
  }
}

async function makeClone(cloning: Cloning, worker: Worker): Promise<void> {
  const { call, target } = cloning
  const { datacenter } = call
  const made: VolumeState[] = []
  if (datacenter.pve === 9) worker.log(`creating a clone of VM ${cloning.source.vmid} with ID ${target.vmid}`)
  try {
    const config = freshConfig(cloning)
    for (const drive of drivesOf(datacenter, cloning.config)) {
      config[drive.key] = isCloudInit(drive)
        ? printDrive(cloneCloudInit(cloning, drive, made))
        : isCdrom(drive)
          ? printDrive(drive)
          : printDrive(await cloneDrive(cloning, drive, worker, made))
      target.config = { ...config, lock: 'clone' }
    }
    if (made.length === 0) await worker.sleep(taskTime.linkedClone)
    delete config.lock
    target.config = config
    moveTo(call, target)
    await enterPool(datacenter, target, find(call, 'pool'), worker)
  } catch (error) {
    if (worker.isKilled) throw error
    for (const volume of made) dropVolume(datacenter, volume)
    delete datacenter.state.vms[String(target.vmid)]
    throw died(`clone failed: ${taskText(error)}`)
  }
}

function moveTo(call: Call, target: VmState): void {
  const host = find(call, 'target')
  if (host !== undefined) target.host = host
}

const notCopied = /^(lock|template|parent|snaptime|vmstate|unused\d+|ha)$/

/** Everything except the VM's identity, which is generated again. */
function freshConfig({ call, source, config }: Cloning): Record<string, string> {
  const { datacenter } = call
  const { random, pve } = datacenter
  const fresh: Record<string, string> = {}
  for (const [key, value] of Object.entries(config)) {
    if (notCopied.test(key) || isDriveKey(key)) continue
    if (isNetKey(key))
      fresh[key] = printNet({ ...parseNet(pve, value), macaddr: newMac(random, macPrefix(datacenter)) })
    else fresh[key] = value
  }
  const smbios = (config.smbios1 ?? '').split(',').filter((part) => part !== '' && !part.startsWith('uuid='))
  fresh.smbios1 = [`uuid=${random.uuid()}`, ...smbios].sort().join(',')
  if (config.vmgenid !== undefined && config.vmgenid !== '0') fresh.vmgenid = random.uuid()
  fresh.name = find(call, 'name') ?? `Copy-of-VM-${source.config.name ?? source.vmid}`
  const description = find(call, 'description')
  if (description !== undefined) fresh.description = description
  return fresh
}

/** A clone has its own cloud-init drive, which is written when it starts. */
function cloneCloudInit({ call, source, target }: Cloning, drive: Drive, made: VolumeState[]): Drive {
  const { datacenter } = call
  const storage = getStorage(datacenter, find(call, 'storage') ?? storageOf(drive.file) ?? '', source.host)
  const volume = allocateCloudInit(datacenter, storage, target, undefined)
  made.push(volume)
  return { ...drive, file: volume.volid }
}

async function cloneDrive(cloning: Cloning, drive: Drive, worker: Worker, made: VolumeState[]): Promise<Drive> {
  const { call, source, target, isFull } = cloning
  const { datacenter } = call
  const from = getStorage(datacenter, storageOf(drive.file) ?? '', source.host)
  const original = getImage(datacenter, from, drive.file, source.host)
  const storage = isFull ? getStorage(datacenter, find(call, 'storage') ?? from.id, source.host) : from
  const place = { vmid: target.vmid, host: source.host, size: original.size, disk: structuredClone(original.disk) }
  worker.log(`create ${isFull ? 'full' : 'linked'} clone of drive ${drive.key} (${drive.file})`)
  if (!isFull) {
    const volume = allocateImage(datacenter, storage, { ...place, format: 'qcow2', base: original })
    made.push(volume)
    logLinked(datacenter, worker, storage.type, original, volume, pathOf(storage, volume.volid))
    await worker.sleep(taskTime.linkedClone)
    return { ...drive, file: volume.volid, options: { ...drive.options, size: printSize(volume.size) } }
  }
  const format = formatOn(storage, find(call, 'format') ?? original.format)
  const volume = allocateImage(datacenter, storage, { ...place, format, used: original.used })
  made.push(volume)
  logAllocation(worker, storage.type, pathOf(storage, volume.volid), format, volume.size)
  if (datacenter.pve === 9) worker.log(`allocated target volume '${volume.volid}'`)
  if (source.running) worker.log(`drive mirror is starting for drive-${drive.key}`)
  await copyWithProgress(worker, volume.size, copyTimeOn(datacenter, storage, place.host, original.used)).catch(
    (error: unknown) => {
      if (worker.isKilled) throw error
      const paths = `${pathOf(from, drive.file)} ${pathOf(storage, volume.volid)}`
      throw died(
        `copy failed: command '/usr/bin/qemu-img convert -p -n -f ${original.format} -O ${format} ${paths}' failed: interrupted by signal`,
      )
    },
  )
  if (source.running) tellSwitch(datacenter, source, worker)
  return { ...drive, file: volume.volid, options: { ...drive.options, size: printSize(volume.size) } }
}

/** A disk in use is mirrored, and the copy ends at one moment. */
function tellSwitch({ pve }: Datacenter, { config }: VmState, worker: Worker): void {
  worker.log("all 'mirror' jobs are ready")
  if (pve === 9 && !isAgentEnabled(config)) worker.log('skipping guest filesystem freeze - disabled in VM options')
  worker.log('suspend vm')
  worker.log('resume vm')
}

function logLinked(
  { pve }: Datacenter,
  worker: Worker,
  type: string,
  base: VolumeState,
  volume: VolumeState,
  path: string,
): void {
  if (type !== 'dir' && type !== 'nfs') return
  const name = base.volid.slice(base.storage.length + 1)
  const file = volume.volid.split('/').at(-1) ?? ''
  worker.log(`clone ${name}: images, ${file}, ${volume.vmid} to ${file} (base=../${name})`)
  const clusters =
    pve === 8
      ? 'cluster_size=65536 extended_l2=off'
      : `cluster_size=131072 extended_l2=on preallocation=${base.format === 'qcow2' ? 'metadata' : 'off'}`
  worker.log(
    `Formatting '${path}', fmt=qcow2 ${clusters} compression_type=zlib size=${volume.size} backing_file=../${name} backing_fmt=${base.format} lazy_refcounts=off refcount_bits=16`,
  )
}

export const cloneRoutes: Routes = { 'POST /nodes/{node}/qemu/{vmid}/clone': clone }
