import { nameOf } from '../access/permissions.js'
import { badParameters, died, forbidden, taskText } from '../api-error.js'
import { type Datacenter, nowSeconds, refuseWithoutQuorum } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { considerHa } from '../ha/manager.js'
import { type Call, find, flag, may, must, vmidOf } from '../http/call.js'
import type { VmState, VolumeState } from '../state.js'
import { dropVolume } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { printBootOrder } from './config.js'
import { checkDrive, isCdrom, isDiskKey, isDriveKey, parseDrive, printDrive } from './drive.js'
import { fillDrive } from './fill-drive.js'
import { isNetKey, normaliseNet } from './net.js'
import { refuseForbiddenDrives, refuseForbiddenOptions } from './option-rights.js'
import { normaliseTags, optionsOf, storedText } from './options.js'
import { enterPool } from './pool-entry.js'
import { startVm } from './start.js'
import { refuseForbiddenTags } from './tag-rights.js'

/** POST /nodes/{node}/qemu: the VMID is taken at once, everything else happens in the task. */
export async function createVm(call: Call): Promise<string> {
  const { datacenter, host, identity } = call
  const vmid = vmidOf(call)
  const pool = find(call, 'pool')
  const options = optionsOf(call)
  refuseWithoutQuorum(datacenter)
  refuseMissingPool(call, pool)
  refuseWithoutAllocate(call, vmid, pool)
  if (flag(call, 'start') && pool === undefined) must(call, `/vms/${vmid}`, ['VM.PowerMgmt'])
  refuseBadDrives(datacenter, options)
  refuseForbiddenDrives(call, vmid, options, false)
  refuseForbiddenOptions(call, vmid, options, pool)
  refuseBadKeys(options)
  const vm = await reserve(datacenter, host, vmid, `unable to create VM ${vmid} -`)
  return datacenter.tasks.start({ host, type: 'qmcreate', id: String(vmid), user: nameOf(identity) }, (worker) =>
    datacenter.locks.hold(vmLockFile(vmid), 1000, async () => {
      await makeVm(call, vm, options, worker)
      if (flag(call, 'ha-managed')) addHaResource(call, vmid, 'Add as HA resource', worker)
      if (flag(call, 'start')) startAfterwards(datacenter, vm, nameOf(identity), worker)
    }),
  )
}

/** Creation needs the right on the VM, or on its pool. */
export function refuseWithoutAllocate(call: Call, vmid: number, pool: string | undefined): void {
  if (may(call, `/vms/${vmid}`, ['VM.Allocate'])) return
  if (pool === undefined || !may(call, `/pool/${pool}`, ['VM.Allocate'])) throw forbidden('')
}

export function refuseMissingPool({ datacenter }: Call, pool: string | undefined): void {
  if (pool !== undefined && datacenter.state.pools[pool] === undefined) throw forbidden(`pool '${pool}' does not exist`)
}

/** The new VM becomes an HA resource, which is to run if `start` was set. */
export function addHaResource(call: Call, vmid: number, line: string, worker: Worker): void {
  const { datacenter } = call
  worker.log(line)
  const resources = datacenter.state.sections.ha ?? {}
  resources[`vm:${vmid}`] = { type: 'vm', state: flag(call, 'start') ? 'started' : 'stopped' }
  datacenter.state.sections.ha = resources
  considerHa(datacenter, vmid)
}

export function refuseBadKeys(options: Readonly<Record<string, string>>): void {
  if (options.sshkeys === undefined) return
  const lines = decodeURIComponent(options.sshkeys).split('\n').filter(Boolean)
  const isKey = (line: string) =>
    /^(ssh-(rsa|ed25519|dss)|ecdsa-sha2-\S+|sk-\S+) [A-Za-z0-9+/]{60,}={0,3}(\s.*)?$/.test(line)
  if (!lines.every(isKey)) throw died('SSH public key validation error')
}

export function refuseBadDrives({ pve }: Datacenter, options: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(options))
    if (isDriveKey(key)) checkDrive(parseDrive(pve, key, value), value)
}

/** The config file exists from here on, with only its lock. */
export async function reserve(datacenter: Datacenter, host: string, vmid: number, failure: string): Promise<VmState> {
  const { state, clock, locks } = datacenter
  try {
    return await locks.hold(vmLockFile(vmid), 5000, () => {
      const taken = state.vms[String(vmid)]
      if (taken !== undefined) throw died(`VM ${vmid} already exists on node '${taken.host}'`)
      const vm = emptyVm(vmid, host, clock.now(), clock.now() + datacenter.trouble.statisticsDelayMs)
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
  const { datacenter } = call
  const made: VolumeState[] = []
  try {
    await worker.sleep(taskTime.create)
    const config: Record<string, string> = {}
    for (const key of Object.keys(options).sort()) {
      const value = options[key] ?? ''
      if (isDriveKey(key))
        config[key] = printDrive(
          await fillDrive({ datacenter, vm, worker, made, others: config }, parseDrive(datacenter.pve, key, value)),
        )
      else if (isNetKey(key))
        config[key] = normaliseNet(datacenter.pve, value, datacenter.random, macPrefix(datacenter))
      else if (key === 'tags' && datacenter.pve === 9)
        config.tags = storedText(key, normaliseTags(value, datacenter.state.options['tag-style']))
      else if (key !== 'description' || value !== '') config[key] = storedText(key, value)
    }
    if (options.tags !== undefined) refuseForbiddenTags(call, '', options.tags)
    vm.config = { ...config, ...identityOf(datacenter, config) }
  } catch (error) {
    if (worker.isKilled) throw error
    rollBack(datacenter, vm, made)
    throw died(`unable to create VM ${vm.vmid} - ${taskText(error)}`)
  }
  try {
    await enterPool(datacenter, vm, find(call, 'pool'), worker)
  } catch (error) {
    if (!worker.isKilled) rollBack(datacenter, vm, made)
    throw error
  }
}

function rollBack(datacenter: Datacenter, vm: VmState, made: readonly VolumeState[]): void {
  for (const volume of made) dropVolume(datacenter, volume)
  delete datacenter.state.vms[String(vm.vmid)]
}

export function macPrefix({ state }: Datacenter): string {
  return state.options.mac_prefix ?? 'BC:24:11'
}

/** Defaults of a VM. */
function identityOf(datacenter: Datacenter, config: Record<string, string>): Record<string, string> {
  const { random, qemuVersion } = datacenter
  const vmgenid = config.vmgenid === undefined || config.vmgenid === '1' ? random.uuid() : config.vmgenid
  return {
    meta: `creation-qemu=${qemuVersion},ctime=${nowSeconds(datacenter)}`,
    smbios1: config.smbios1 ?? `uuid=${random.uuid()}`,
    ...(vmgenid === '0' ? {} : { vmgenid }),
    boot: config.boot ?? defaultBoot(datacenter, config),
  }
}

/** First disk, first CD, first NIC. */
function defaultBoot({ pve }: Datacenter, config: Readonly<Record<string, string>>): string {
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
export function startAfterwards(datacenter: Datacenter, vm: VmState, user: string, worker: Worker): void {
  worker.log('Execute autostart')
  delete vm.config.lock
  datacenter.tasks.start({ host: vm.host, type: 'qmstart', id: String(vm.vmid), user }, (starter) =>
    startVm(datacenter, vm.host, vm.vmid, starter),
  )
}

export function refuseUnlessRootSkips(call: Call, isRootCaller: boolean): void {
  if (flag(call, 'skiplock') && !isRootCaller) throw badParameters({ skiplock: 'Only root may use this option.' })
}
