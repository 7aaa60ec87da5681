import { nameOf } from '../access/permissions.js'
import { badParameters, died, forbidden, taskText } from '../api-error.js'
import { type Datacentre, nowSeconds, refuseWithoutQuorum } from '../datacentre.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, flag, may, must, vmidOf } from '../http/call.js'
import type { VmState, VolumeState } from '../state.js'
import { dropVolume } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { printBootOrder } from './config.js'
import { checkDrive, isCdrom, isDiskKey, isDriveKey, parseDrive, printDrive } from './drive.js'
import { fillDrive } from './fill-drive.js'
import { considerHa } from './ha-manager.js'
import { isNetKey, normaliseNet } from './net.js'
import { refuseForbiddenDrives, refuseForbiddenOptions } from './option-rights.js'
import { normaliseTags, optionsOf, storedText } from './options.js'
import { enterPool } from './pool-entry.js'
import { startVm } from './start.js'
import { refuseForbiddenTags } from './tag-rights.js'

/** POST /nodes/{node}/qemu: the VMID is taken at once, everything else happens in the task. */
export async function createVm(call: Call): Promise<string> {
  const { datacentre, host, identity } = call
  const vmid = vmidOf(call)
  const pool = find(call, 'pool')
  const options = optionsOf(call)
  refuseWithoutQuorum(datacentre)
  refuseMissingPool(call, pool)
  refuseWithoutAllocate(call, vmid, pool)
  if (flag(call, 'start') && pool === undefined) must(call, `/vms/${vmid}`, ['VM.PowerMgmt'])
  refuseBadDrives(datacentre, options)
  refuseForbiddenDrives(call, vmid, options, false)
  refuseForbiddenOptions(call, vmid, options, pool)
  refuseBadKeys(options)
  const vm = await reserve(datacentre, host, vmid, `unable to create VM ${vmid} -`)
  return datacentre.tasks.start({ host, type: 'qmcreate', id: String(vmid), user: nameOf(identity) }, (worker) =>
    datacentre.locks.hold(vmLockFile(vmid), 1000, async () => {
      await makeVm(call, vm, options, worker)
      if (flag(call, 'ha-managed')) addHaResource(call, vmid, 'Add as HA resource', worker)
      if (flag(call, 'start')) startAfterwards(datacentre, vm, nameOf(identity), worker)
    }),
  )
}

/** Creation needs the right on the VM, or on its pool. */
export function refuseWithoutAllocate(call: Call, vmid: number, pool: string | undefined): void {
  if (may(call, `/vms/${vmid}`, ['VM.Allocate'])) return
  if (pool === undefined || !may(call, `/pool/${pool}`, ['VM.Allocate'])) throw forbidden('')
}

export function refuseMissingPool({ datacentre }: Call, pool: string | undefined): void {
  if (pool !== undefined && datacentre.state.pools[pool] === undefined) throw forbidden(`pool '${pool}' does not exist`)
}

/** The new VM becomes an HA resource, which is to run if `start` was set. */
export function addHaResource(call: Call, vmid: number, line: string, worker: Worker): void {
  const { datacentre } = call
  worker.log(line)
  const resources = datacentre.state.sections.ha ?? {}
  resources[`vm:${vmid}`] = { type: 'vm', state: flag(call, 'start') ? 'started' : 'stopped' }
  datacentre.state.sections.ha = resources
  considerHa(datacentre, vmid)
}

export function refuseBadKeys(options: Readonly<Record<string, string>>): void {
  if (options.sshkeys === undefined) return
  const lines = decodeURIComponent(options.sshkeys).split('\n').filter(Boolean)
  const isKey = (line: string) =>
    /^(ssh-(rsa|ed25519|dss)|ecdsa-sha2-\S+|sk-\S+) [A-Za-z0-9+/]{60,}={0,3}(\s.*)?$/.test(line)
  if (!lines.every(isKey)) throw died('SSH public key validation error')
}

export function refuseBadDrives({ pve }: Datacentre, options: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(options))
    if (isDriveKey(key)) checkDrive(parseDrive(pve, key, value), value)
}

/** The config file exists from here on, with only its lock. */
export async function reserve(datacentre: Datacentre, host: string, vmid: number, failure: string): Promise<VmState> {
  const { state, clock, locks } = datacentre
  try {
    return await locks.hold(vmLockFile(vmid), 5000, () => {
      const taken = state.vms[String(vmid)]
      if (taken !== undefined) throw died(`VM ${vmid} already exists on node '${taken.host}'`)
      const vm = emptyVm(vmid, host, clock.now(), clock.now() + datacentre.trouble.statisticsDelayMs)
      vm.config.lock = 'create'
      state.vms[String(vmid)] = vm
      return vm
    })
  } catch (error) {
    throw died(`${failure} ${taskText(error)}`)
  }
}

export function emptyVm(vmid: number, host: string, createdAt: number, seenAt: number): VmState {
  return {
    vmid,
    host,
    config: {},
    pending: {},
    pendingDelete: {},
    snapshots: {},
    running: false,
    paused: false,
    pid: 0,
    startedAt: 0,
    createdAt,
    seenAt,
  }
}

async function makeVm(call: Call, vm: VmState, options: Record<string, string>, worker: Worker): Promise<void> {
  const { datacentre } = call
  const made: VolumeState[] = []
  try {
    await worker.sleep(taskTime.create)
    const config: Record<string, string> = {}
    for (const key of Object.keys(options).sort()) {
      const value = options[key] ?? ''
      if (isDriveKey(key))
        config[key] = printDrive(
          await fillDrive({ datacentre, vm, worker, made, others: config }, parseDrive(datacentre.pve, key, value)),
        )
      else if (isNetKey(key))
        config[key] = normaliseNet(datacentre.pve, value, datacentre.random, macPrefix(datacentre))
      else if (key === 'tags' && datacentre.pve === 9)
        config.tags = storedText(key, normaliseTags(value, datacentre.state.options['tag-style']))
      else if (key !== 'description' || value !== '') config[key] = storedText(key, value)
    }
    if (options.tags !== undefined) refuseForbiddenTags(call, '', options.tags)
    vm.config = { ...config, ...identityOf(datacentre, config) }
  } catch (error) {
    if (worker.isKilled) throw error
    takeBack(datacentre, vm, made)
    throw died(`unable to create VM ${vm.vmid} - ${taskText(error)}`)
  }
  try {
    await enterPool(datacentre, vm, find(call, 'pool'), worker)
  } catch (error) {
    if (!worker.isKilled) takeBack(datacentre, vm, made)
    throw error
  }
}

function takeBack(datacentre: Datacentre, vm: VmState, made: readonly VolumeState[]): void {
  for (const volume of made) dropVolume(datacentre, volume)
  delete datacentre.state.vms[String(vm.vmid)]
}

export function macPrefix({ state }: Datacentre): string {
  return state.options.mac_prefix ?? 'BC:24:11'
}

/** Defaults of a VM. */
function identityOf(datacentre: Datacentre, config: Record<string, string>): Record<string, string> {
  const { random, qemuVersion } = datacentre
  const vmgenid = config.vmgenid === undefined || config.vmgenid === '1' ? random.uuid() : config.vmgenid
  return {
    meta: `creation-qemu=${qemuVersion},ctime=${nowSeconds(datacentre)}`,
    smbios1: config.smbios1 ?? `uuid=${random.uuid()}`,
    ...(vmgenid === '0' ? {} : { vmgenid }),
    boot: config.boot ?? defaultBoot(datacentre, config),
  }
}

/** First disk, first CD, first NIC. */
function defaultBoot({ pve }: Datacentre, config: Readonly<Record<string, string>>): string {
  const drives = ['ide', 'scsi', 'virtio', 'sata'].flatMap((bus) =>
    Object.keys(config)
      .filter((key) => isDiskKey(key) && key.startsWith(bus))
      .sort((a, b) => Number(a.replace(/\D/g, '')) - Number(b.replace(/\D/g, '')))
      .map((key) => parseDrive(pve, key, config[key] ?? '')),
  )
  const disk = drives.find((drive) => !isCdrom(drive))
  const cd = drives.find((drive) => isCdrom(drive))
  const net = Object.keys(config).filter(isNetKey).sort()[0]
  const order = [disk?.key, cd?.key, net].filter((key) => key !== undefined)
  return printBootOrder(order)
}

/** The start is a separate task; the previous task does not fail with it. */
export function startAfterwards(datacentre: Datacentre, vm: VmState, user: string, worker: Worker): void {
  worker.log('Execute autostart')
  delete vm.config.lock
  datacentre.tasks.start({ host: vm.host, type: 'qmstart', id: String(vm.vmid), user }, (starter) =>
    startVm(datacentre, vm.host, vm.vmid, starter),
  )
}

export function refuseUnlessRootSkips(call: Call, isRootCaller: boolean): void {
  if (flag(call, 'skiplock') && !isRootCaller) throw badParameters({ skiplock: 'Only root may use this option.' })
}
