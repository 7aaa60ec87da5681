import { died } from '../api-error.js'
import { type Datacenter, getVm, refuseWithoutQuorum } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import type { VmState } from '../state.js'
import { findVolume, getStorage } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { writeCloudInit } from './cloud-init.js'
import { byDriveName, isDriveKey, parseDrive, storageOf } from './drive.js'
import { isNetKey, parseNet } from './net.js'
import { applyPending } from './pending.js'

export function refuseIfLocked({ config }: VmState): void {
  if (config.lock !== undefined) throw died(`VM is locked (${config.lock})`)
}

/** The work of `qmstart`. */
export function startVm(
  datacenter: Datacenter,
  host: string,
  vmid: number,
  worker: Worker,
  skipLock = false,
): Promise<void> {
  return datacenter.locks.hold(vmLockFile(vmid), 10_000, async () => {
    const vm = getVm(datacenter, host, vmid)
    refuseWithoutQuorum(datacenter)
    if (vm.config.template === '1') throw died("you can't start a vm if it's a template")
    if (!skipLock) refuseIfLocked(vm)
    if (vm.running) throw died(`VM ${vmid} already running`)
    applyPending(datacenter, vm)
    refuseMissingParts(datacenter, vm, worker)
    writeCloudInit(datacenter, vm, worker)
    if (!datacenter.hasKvm && vm.config.kvm !== '0')
      throw died(
        'KVM virtualisation configured, but not available. Either disable in VM configuration or enable in BIOS.',
      )
    await worker.sleep(taskTime.start)
    if (datacenter.trouble.brokenStarts.has(vmid)) throw died('start failed: QEMU exited with code 1')
    givePower(datacenter, vm)
  })
}

function givePower(datacenter: Datacenter, vm: VmState): void {
  const { clock, state, machines, ledger } = datacenter
  const host = state.hosts[vm.host]
  vm.running = true
  vm.paused = false
  vm.startedAt = clock.now()
  vm.pid = host === undefined ? 1 : host.nextPid++
  ledger.record({ at: clock.now(), surface: 'proxmox', event: 'vm.started', subject: String(vm.vmid), mutating: false })
  machines.powerOn(vm)
}

function refuseMissingParts(datacenter: Datacenter, vm: VmState, worker: Worker): void {
  const bridges = datacenter.state.hosts[vm.host]?.interfaces ?? {}
  for (const key of Object.keys(vm.config).filter(isDriveKey).sort(byDriveName))
    refuseMissingVolume(datacenter, vm, key)
  for (const key of Object.keys(vm.config).filter(isNetKey).sort()) {
    const { bridge } = parseNet(datacenter.pve, vm.config[key] ?? '')
    if (bridge === undefined || bridges[bridge] !== undefined || isVnet(datacenter, bridge)) continue
    const n = key.slice(3)
    worker.log(`bridge '${bridge}' does not exist`)
    worker.log(
      `kvm: -netdev type=tap,id=net${n},ifname=tap${vm.vmid}i${n},script=/usr/libexec/qemu-server/pve-bridge,downscript=/usr/libexec/qemu-server/pve-bridgedown: network script /usr/libexec/qemu-server/pve-bridge failed with status 512`,
    )
    throw died('start failed: QEMU exited with code 1')
  }
}

function isVnet({ state }: Datacenter, name: string): boolean {
  return state.sections.vnets?.[name] !== undefined
}

function refuseMissingVolume(datacenter: Datacenter, vm: VmState, key: string): void {
  const { file } = parseDrive(datacenter.pve, key, vm.config[key] ?? '')
  const storage = storageOf(file)
  if (storage === undefined) return
  getStorage(datacenter, storage, vm.host)
  if (findVolume(datacenter, file, vm.host) === undefined) throw died(`volume '${file}' does not exist`)
}

/** Cuts the power and applies pending changes. */
export async function stopVm(datacenter: Datacenter, vm: VmState): Promise<void> {
  const { machines } = datacenter
  await machines.powerOff(vm)
  afterStop(datacenter, vm)
}

export function afterStop(datacenter: Datacenter, vm: VmState): void {
  const { clock, ledger } = datacenter
  vm.running = false
  vm.paused = false
  delete vm.qmpStatus
  vm.pid = 0
  vm.stoppedAt = clock.now()
  applyPending(datacenter, vm)
  ledger.record({ at: clock.now(), surface: 'proxmox', event: 'vm.stopped', subject: String(vm.vmid), mutating: false })
}
