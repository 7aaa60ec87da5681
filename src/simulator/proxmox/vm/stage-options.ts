import { died } from '../api-error.js'
import type { Call } from '../http/call.js'
import type { VmState, VolumeState } from '../state.js'
import { dropVolume } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { bootOrderOf, printBootOrder } from './config.js'
import { macPrefix } from './create.js'
import { isBootableCd, isDriveKey, parseDrive, printDrive } from './drive.js'
import { fillDrive } from './fill-drive.js'
import { isNetKey, normaliseNet } from './net.js'
import { haltAfter, optionOrderOf } from './option-order.js'
import { normaliseTags, storedText } from './options.js'
import { releaseDrive } from './pending.js'
import { refuseForbiddenTags } from './tag-rights.js'

export interface Change {
  readonly set: Readonly<Record<string, string>>
  readonly remove: readonly string[]
  readonly revert: readonly string[]
  readonly force: boolean
  readonly digest: string | undefined
  readonly skipLock: boolean
}

interface Staging {
  readonly call: Call
  readonly vm: VmState
  readonly wanted: Change
  readonly worker: Worker
  /**
   * The boot order before this change, with every CD drive that the change adds: an explicit `boot` does not alter it.
   */
  readonly bootOrder: string[]
}

/**
 * Writes a change to the pending section, option by option. A failed one keeps everything before it: only the volumes
 * of the failed drive are removed.
 */
export async function stageAll(call: Call, vm: VmState, wanted: Change, worker: Worker): Promise<void> {
  const staging = { call, vm, wanted, worker, bootOrder: bootOrderOf(vm.config) }
  for (const key of wanted.remove) stageRemoval(staging, key)
  const order = optionOrderOf(call.datacenter, vm, Object.keys(wanted.set))
  const { failConfig } = call
  const halt = failConfig === undefined ? undefined : (failConfig.after ?? haltAfter(call.datacenter, vm, order.length))
  for (const [index, key] of order.entries()) {
    if (index === halt) break
    const value = wanted.set[key] ?? ''
    if (vm.pending[key] !== value) await stage(staging, key, value)
  }
  if (failConfig !== undefined) throw died(failConfig.message)
}

function stageRemoval({ call, vm, wanted, bootOrder }: Staging, key: string): void {
  const value = vm.config[key] ?? vm.pending[key]
  if (value === undefined) return
  if (vm.config.protection === '1' && isDriveKey(key))
    throw died(`can't remove drive '${key}' - protection mode enabled`)
  const waiting = vm.pending[key]
  delete vm.pending[key]
  const place = bootOrder.indexOf(key)
  if (place >= 0) {
    bootOrder.splice(place, 1)
    vm.pending.boot = printBootOrder(bootOrder)
  }
  if (key === 'tags') {
    refuseForbiddenTags(call, value, '')
    delete vm.config.tags
    return
  }
  if (waiting !== undefined && isDriveKey(key)) releaseDrive(call.datacenter, vm, key, waiting, false)
  if (vm.config[key] !== undefined) vm.pendingDelete[key] = wanted.force ? 2 : 1
}

async function stage(staging: Staging, key: string, value: string): Promise<void> {
  const { call, vm, wanted } = staging
  const { datacenter } = call
  if (isDriveKey(key)) await stageDrive(staging, key, value)
  else if (isNetKey(key))
    vm.pending[key] = normaliseNet(datacenter.pve, value, datacenter.random, macPrefix(datacenter))
  else if (key === 'tags') {
    refuseForbiddenTags(call, vm.config.tags ?? '', value)
    vm.pending.tags = storedText(key, normaliseTags(value, datacenter.state.options['tag-style']))
  } else if (key === 'description' && value === '') {
    vm.pendingDelete.description = 1
    return
  } else {
    if (key === 'boot') refuseBadBoot(vm, wanted, value)
    vm.pending[key] = storedText(key, value)
  }
  delete vm.pendingDelete[key]
}

async function stageDrive({ call, vm, worker, bootOrder }: Staging, key: string, value: string): Promise<void> {
  const { datacenter } = call
  const made: VolumeState[] = []
  const asked = parseDrive(datacenter.pve, key, value)
  const waiting = vm.pending[key]
  try {
    vm.pending[key] = printDrive(await fillDrive({ datacenter, vm, worker, made }, asked))
  } catch (error) {
    if (!worker.isKilled) for (const volume of made) dropVolume(datacenter, volume)
    throw error
  }
  if (waiting !== undefined) releaseDrive(datacenter, vm, key, waiting, false)
  if (bootOrder.length === 0 || bootOrder.includes(key) || !isBootableCd(asked)) return
  bootOrder.push(key)
  vm.pending.boot = printBootOrder(bootOrder)
}

function refuseBadBoot(vm: VmState, { set, remove }: Change, boot: string): void {
  for (const device of bootOrderOf({ boot })) {
    const exists = vm.config[device] !== undefined || vm.pending[device] !== undefined || set[device] !== undefined
    if (!exists || remove.includes(device)) throw died(`invalid bootorder: device '${device}' does not exist'`)
  }
}
