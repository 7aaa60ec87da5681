import { isRoot, nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Datacenter, findVm, getVm, refuseReadOnlyConfig } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, flag, must, number, vmidOf } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import { ruleFor } from '../schema/verify.js'
import type { VmState } from '../state.js'
import { findVolume } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { digestOf, memoryOf, pendingConfig } from './config.js'
import { refuseBadDrives, refuseBadKeys, refuseUnlessRootSkips } from './create.js'
import { isDriveKey, optionRules } from './drive.js'
import { changeRunning } from './hotplug.js'
import { isNetKey } from './net.js'
import { refuseForbiddenDrives, refuseForbiddenOptions } from './option-rights.js'
import { optionsOf } from './options.js'
import { applyPending } from './pending.js'
import { type Change, stageAll } from './stage-options.js'
import { refuseIfLocked } from './start.js'

/** PUT …/config: everything happens within the request. */
export async function updateNow(call: Call): Promise<null> {
  const vm = await prepareChange(call)
  await change(call, vm, changeOf(call), silentWorker)
  return null
}

/** POST …/config: the same as a task. */
export async function updateLater(call: Call): Promise<string | null> {
  const { datacenter, host, identity } = call
  const vm = await prepareChange(call)
  const wanted = changeOf(call)
  const upid = datacenter.tasks.start(
    { host, type: 'qmconfig', id: String(vm.vmid), user: nameOf(identity) },
    async (worker) => {
      worker.log(`update VM ${vm.vmid}: ${describeChange(call)}`)
      await worker.sleep(taskTime.config)
      await change(call, vm, wanted, worker)
    },
  )
  if (find(call, 'background_delay') === undefined) return upid
  await Promise.race([datacenter.tasks.ended(upid), datacenter.clock.sleep(number(call, 'background_delay') * 1000)])
  return datacenter.tasks.find(upid)?.exitstatus === 'OK' ? null : upid
}

const silentWorker: Worker = {
  upid: '',
  log: () => undefined,
  append: () => undefined,
  warn: () => undefined,
  sleep: () => Promise.resolve(),
  runProgram: async (_modelMs, done) => done(),
  signal: new AbortController().signal,
  isKilled: false,
}

function describeChange({ parameters }: Call): string {
  const shown = Object.entries(parameters)
    .filter(([name]) => !['node', 'vmid', 'background_delay', 'digest'].includes(name))
    .sort(([a], [b]) => a.localeCompare(b))
  return shown.map(([name, value]) => `-${name} ${name === 'cipassword' ? '<hidden>' : String(value)}`).join(' ')
}

function changeOf(call: Call): Change {
  return {
    set: optionsOf(call),
    remove: splitList(find(call, 'delete') ?? ''),
    revert: splitList(find(call, 'revert') ?? ''),
    force: flag(call, 'force'),
    digest: find(call, 'digest'),
    skipLock: flag(call, 'skiplock'),
  }
}

/** The checks before anything is changed or forked. */
async function prepareChange(call: Call): Promise<VmState> {
  const { datacenter, host } = call
  refuseUnlessRootSkips(call, isRoot(call.identity))
  const { set, remove, revert, digest } = changeOf(call)
  if (Object.keys(set).length === 0 && remove.length === 0 && revert.length === 0) throw died('no options specified')
  refuseOddDeletes(datacenter, set, remove)
  const vmid = vmidOf(call)
  refuseBadDrives(datacenter, set)
  refuseForbiddenOptions(
    call,
    vmid,
    Object.fromEntries(remove.map((key) => [key, deletedValue(key, findVm(datacenter, host, vmid))])),
    undefined,
  )
  refuseForbiddenDrives(call, vmid, set, true)
  refuseDriveRemoval(call, vmid, remove)
  refuseForbiddenOptions(call, vmid, withoutHook(set), undefined)
  refuseMissingHook(call, set)
  refuseBadKeys(set)
  const vm = getVm(datacenter, host, vmid)
  refuseStale(vm, digest)
  return vm
}

/** Removing a device needs the same right as setting a harmless one. */
function deletedValue(key: string, vm: VmState | undefined): string {
  // A caller that may use the mapping may also remove the device.
  if (/^(usb|hostpci)\d+$/.test(key)) return vm?.config[key] ?? vm?.pending[key] ?? ''
  if (/^serial\d+$/.test(key)) return 'socket'
  return isNetKey(key) ? 'virtio,bridge=vmbr0' : ''
}

function refuseOddDeletes({ pve }: Datacenter, set: Record<string, string>, remove: readonly string[]): void {
  for (const key of remove) {
    if (ruleFor(optionRules(pve), key) === undefined) throw badParameters({ delete: `unknown option '${key}'` })
    if (set[key] !== undefined)
      throw badParameters({ delete: `you can't use '-${key}' and -delete ${key}' at the same time` })
  }
}

function withoutHook({ hookscript: _hook, ...rest }: Change['set']): Record<string, string> {
  return rest
}

function refuseMissingHook(call: Call, { hookscript }: Record<string, string>): void {
  if (hookscript === undefined) return
  if (findVolume(call.datacenter, hookscript, call.host) === undefined)
    throw badParameters({ hookscript: `script '${hookscript}' does not exist\n` })
  if (!isRoot(call.identity)) throw died("only root can set 'hookscript' config")
}

function refuseDriveRemoval(call: Call, vmid: number, remove: readonly string[]): void {
  if (remove.some((key) => isDriveKey(key) || /^unused\d+$/.test(key))) must(call, `/vms/${vmid}`, ['VM.Config.Disk'])
}

export function refuseStale(vm: VmState, digest: string | undefined): void {
  if (digest !== undefined && digest !== digestOf(vm)) throw died('checksum mismatch (file change by other user?)')
}

function change(call: Call, vm: VmState, wanted: Change, worker: Worker): Promise<void> {
  const { datacenter } = call
  return datacenter.locks.hold(vmLockFile(vm.vmid), 10_000, async () => {
    getVm(datacenter, vm.host, vm.vmid)
    refuseReadOnlyConfig(datacenter, vm)
    refuseStale(vm, wanted.digest)
    if (!wanted.skipLock) refuseIfLocked(vm)
    for (const key of wanted.revert) {
      delete vm.pending[key]
      delete vm.pendingDelete[key]
    }
    refuseBalloon(vm, wanted.set)
    await stageAll(call, vm, wanted, worker)
    settle(datacenter, vm, new Set(Object.keys(wanted.set)))
  })
}

function refuseBalloon(vm: VmState, set: Readonly<Record<string, string>>): void {
  const balloon = Number(set.balloon ?? 0)
  if (balloon > 0 && balloon * 1024 ** 2 > memoryOf({ ...pendingConfig(vm), ...set }))
    throw died('balloon value too large (must be smaller than assigned memory)')
}

/** A stopped VM applies everything at once; a running one what can change while it runs. */
function settle(datacenter: Datacenter, vm: VmState, changed: ReadonlySet<string>): void {
  dropEqual(vm)
  if (vm.running) changeRunning(datacenter, vm, changed)
  else applyPending(datacenter, vm)
}

function dropEqual(vm: VmState): void {
  for (const [key, value] of Object.entries(vm.pending)) if (vm.config[key] === value) delete vm.pending[key]
}

/** PUT …/unlink is a config change that removes drives. */
export async function unlinkDrives(call: Call): Promise<null> {
  const remove = splitList(find(call, 'idlist') ?? '')
  const parameters = { ...call.parameters, delete: remove.join(','), ...(flag(call, 'force') ? { force: '1' } : {}) }
  const { idlist: _idlist, ...rest } = parameters as Record<string, string>
  return updateNow({ ...call, parameters: rest })
}
