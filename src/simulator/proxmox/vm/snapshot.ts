import { nameOf } from '../access/permissions.js'
import { died } from '../api-error.js'
import { type Datacenter, getVm, nowSeconds } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, flag, must, type Routes, text, vmidOf } from '../http/call.js'
import type { SnapshotState, VmState, VolumeState } from '../state.js'
import { findVolume } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { digestOf, showOptions } from './config.js'
import { isCdrom, isDriveKey, parseDrive } from './drive.js'
import { refuseIfLocked, startVm, stopVm } from './start.js'
import { canSnapshot } from './template.js'

function task(call: Call, type: string, body: (vm: VmState, worker: Worker) => Promise<void>): string {
  const { datacenter, host, identity } = call
  const vm = getVm(datacenter, host, vmidOf(call))
  return datacenter.tasks.start({ host, type, id: String(vm.vmid), user: nameOf(identity) }, (worker) =>
    datacenter.locks.hold(vmLockFile(vm.vmid), 10_000, () => body(vm, worker)),
  )
}

function volumesOf(datacenter: Datacenter, vm: VmState): { key: string; volume: VolumeState }[] {
  return Object.keys(vm.config)
    .filter(isDriveKey)
    .flatMap((key) => {
      const drive = parseDrive(datacenter.pve, key, vm.config[key] ?? '')
      const volume = isCdrom(drive) ? undefined : findVolume(datacenter, drive.file, vm.host)
      return volume === undefined ? [] : [{ key, volume }]
    })
}

function getSnapshot(vm: VmState, name: string): SnapshotState {
  const snapshot = vm.snapshots[name]
  if (snapshot === undefined) throw died(`snapshot '${name}' does not exist`)
  return snapshot
}

function list(call: Call): unknown[] {
  const { datacenter, host } = call
  const vm = getVm(datacenter, host, vmidOf(call))
  const taken = Object.entries(vm.snapshots).map(([name, { snaptime, vmstate, description, parent }]) => ({
    name,
    snaptime,
    vmstate: vmstate ? 1 : 0,
    description,
    ...(parent === undefined ? {} : { parent }),
  }))
  const { parent } = vm.config
  return [
    ...taken,
    {
      name: 'current',
      description: 'You are here!',
      digest: digestOf(vm),
      running: vm.running ? 1 : 0,
      ...(parent === undefined ? {} : { parent }),
    },
  ]
}

function create(call: Call): string {
  const { datacenter } = call
  const name = text(call, 'snapname')
  if (name === 'current' || name === 'pending') throw died(`unable to use snapshot name '${name}' (reserved name)`)
  return task(call, 'qmsnapshot', async (vm, worker) => {
    if (vm.config.template === '1') throw died("you can't take a snapshot if it's a template")
    refuseIfLocked(vm)
    if (vm.snapshots[name] !== undefined) throw died(`snapshot name '${name}' already used`)
    if (!canSnapshot(datacenter, vm)) throw died('snapshot feature is not available')
    vm.config.lock = 'snapshot'
    try {
      for (const { key, volume } of volumesOf(datacenter, vm))
        worker.log(`snapshotting 'drive-${key}' (${volume.volid})`)
      await worker.sleep(taskTime.snapshot)
    } finally {
      if (!worker.isKilled) delete vm.config.lock
    }
    takeSnapshot(call, vm, name)
  })
}

function takeSnapshot(call: Call, vm: VmState, name: string): void {
  const { datacenter } = call
  const { parent, ...config } = vm.config
  vm.snapshots[name] = {
    config,
    snaptime: nowSeconds(datacenter),
    description: find(call, 'description') ?? '',
    vmstate: flag(call, 'vmstate') && vm.running,
    ...(parent === undefined ? {} : { parent }),
    disks: Object.fromEntries(
      volumesOf(datacenter, vm).map(({ volume }) => [
        volume.volid,
        { size: volume.size, disk: structuredClone(volume.disk) },
      ]),
    ),
  }
  vm.config.parent = name
}

function rollback(call: Call): string {
  const { datacenter, host } = call
  const name = text(call, 'snapname')
  if (flag(call, 'start')) must(call, `/vms/${vmidOf(call)}`, ['VM.PowerMgmt'])
  return task(call, 'qmrollback', async (vm, worker) => {
    const snapshot = getSnapshot(vm, name)
    refuseIfLocked(vm)
    if (vm.running) await stopVm(datacenter, vm)
    await worker.sleep(taskTime.snapshot)
    restore(datacenter, vm, name, snapshot)
    if (flag(call, 'start'))
      datacenter.tasks.start({ host, type: 'qmstart', id: String(vm.vmid), user: nameOf(call.identity) }, (starter) =>
        startVm(datacenter, host, vm.vmid, starter),
      )
  })
}

function restore(datacenter: Datacenter, vm: VmState, name: string, { config, disks }: SnapshotState): void {
  vm.config = { ...config, parent: name }
  vm.pending = {}
  vm.pendingDelete = {}
  for (const [volid, { size, disk }] of Object.entries(disks)) {
    const volume = findVolume(datacenter, volid, vm.host)
    if (volume === undefined) continue
    volume.size = size
    volume.disk = structuredClone(disk)
  }
}

function remove(call: Call): string {
  const name = text(call, 'snapname')
  return task(call, 'qmdelsnapshot', async (vm, worker) => {
    const { parent } = getSnapshot(vm, name)
    refuseIfLocked(vm)
    await worker.sleep(taskTime.snapshot)
    delete vm.snapshots[name]
    for (const other of Object.values(vm.snapshots)) if (other.parent === name) reparent(other, parent)
    if (vm.config.parent !== name) return
    if (parent === undefined) delete vm.config.parent
    else vm.config.parent = parent
  })
}

function reparent(snapshot: SnapshotState, parent: string | undefined): void {
  if (parent === undefined) delete snapshot.parent
  else snapshot.parent = parent
}

function config(call: Call): unknown {
  const { datacenter, host } = call
  const {
    config: kept,
    snaptime,
    description,
    parent,
  } = getSnapshot(getVm(datacenter, host, vmidOf(call)), text(call, 'snapname'))
  return {
    ...showOptions(datacenter.pve, kept),
    snaptime,
    ...(description === '' ? {} : { description }),
    ...(parent === undefined ? {} : { parent }),
  }
}

function describe(call: Call): null {
  const snapshot = getSnapshot(getVm(call.datacenter, call.host, vmidOf(call)), text(call, 'snapname'))
  const description = find(call, 'description')
  if (description !== undefined) snapshot.description = description
  return null
}

const base = '/nodes/{node}/qemu/{vmid}/snapshot'

export const snapshotRoutes: Routes = {
  [`GET ${base}`]: list,
  [`POST ${base}`]: create,
  [`GET ${base}/{snapname}`]: () => [{ cmd: 'rollback' }, { cmd: 'config' }],
  [`DELETE ${base}/{snapname}`]: remove,
  [`GET ${base}/{snapname}/config`]: config,
  [`PUT ${base}/{snapname}/config`]: describe,
  [`POST ${base}/{snapname}/rollback`]: rollback,
}
