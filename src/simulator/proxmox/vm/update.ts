import { isRoot, nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Datacentre, getVm } from '../datacentre.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, flag, must, number, vmidOf } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import { ruleFor } from '../schema/verify.js'
import type { VmState, VolumeState } from '../state.js'
import { dropVolume, findVolume } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { bootOrderOf, digestOf, memoryOf, pendingConfig } from './config.js'
import { macPrefix, refuseBadDrives, refuseBadKeys, refuseUnlessRootSkips } from './create.js'
import { isCdrom, isDiskKey, isDriveKey, optionRules, parseDrive, printDrive } from './drive.js'
import { fillDrive } from './fill-drive.js'
import { changeRunning } from './hotplug.js'
import { isNetKey, normaliseNet } from './net.js'
import { refuseForbiddenDrives, refuseForbiddenOptions } from './option-rights.js'
import { normaliseTags, optionsOf, storedText } from './options.js'
import { applyPending } from './pending.js'
import { refuseIfLocked } from './start.js'

interface Change {
  readonly set: Record<string, string>
  readonly remove: readonly string[]
  readonly revert: readonly string[]
  readonly force: boolean
  readonly digest: string | undefined
  readonly skipLock: boolean
}

/** PUT …/config: everything happens inside the request. */
export async function updateNow(call: Call): Promise<null> {
  const vm = await prepareChange(call)
  await change(call, vm, changeOf(call), silentWorker)
  return null
}

/** POST …/config: the same as a task. */
export async function updateLater(call: Call): Promise<string | null> {
  const { datacentre, host, identity } = call
  const vm = await prepareChange(call)
  const wanted = changeOf(call)
  const upid = datacentre.tasks.start(
    { host, type: 'qmconfig', id: String(vm.vmid), user: nameOf(identity) },
    async (worker) => {
      worker.log(`update VM ${vm.vmid}: ${describeChange(call)}`)
      await worker.sleep(taskTime.config)
      await change(call, vm, wanted, worker)
    },
  )
  if (find(call, 'background_delay') === undefined) return upid
  await Promise.race([datacentre.tasks.ended(upid), datacentre.clock.sleep(number(call, 'background_delay') * 1000)])
  return datacentre.tasks.find(upid)?.exitstatus === 'OK' ? null : upid
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

/** The checks that come before anything is changed or forked. */
async function prepareChange(call: Call): Promise<VmState> {
  const { datacentre, host } = call
  refuseUnlessRootSkips(call, isRoot(call.identity))
  const { set, remove, revert, digest } = changeOf(call)
  if (Object.keys(set).length === 0 && remove.length === 0 && revert.length === 0) throw died('no options specified')
  refuseOddDeletes(datacentre, set, remove)
  const vmid = vmidOf(call)
  refuseBadDrives(datacentre, set)
  refuseForbiddenOptions(
    call,
    vmid,
    { ...Object.fromEntries(remove.map((key) => [key, deletedValue(key)])) },
    undefined,
  )
  refuseForbiddenDrives(call, vmid, set, true)
  refuseDriveRemoval(call, vmid, remove)
  refuseForbiddenOptions(call, vmid, withoutHook(set), undefined)
  refuseMissingHook(call, set)
  refuseBadKeys(set)
  const vm = getVm(datacentre, host, vmid)
  refuseStale(vm, digest)
  return vm
}

/** Taking off a device needs the same right as setting a harmless one. */
function deletedValue(key: string): string {
  if (/^serial\d+$/.test(key)) return 'socket'
  return isNetKey(key) ? 'virtio,bridge=vmbr0' : ''
}

function refuseOddDeletes({ pve }: Datacentre, set: Record<string, string>, remove: readonly string[]): void {
  for (const key of remove) {
    if (ruleFor(optionRules(pve), key) === undefined) throw badParameters({ delete: `unknown option '${key}'` })
    if (set[key] !== undefined)
      throw badParameters({ delete: `you can't use '-${key}' and -delete ${key}' at the same time` })
  }
}

function withoutHook({ hookscript: _hook, ...rest }: Record<string, string>): Record<string, string> {
  return rest
}

function refuseMissingHook(call: Call, { hookscript }: Record<string, string>): void {
  if (hookscript === undefined) return
  if (findVolume(call.datacentre, hookscript, call.host) === undefined)
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
  const { datacentre } = call
  return datacentre.locks.hold(vmLockFile(vm.vmid), 10_000, async () => {
    getVm(datacentre, vm.host, vm.vmid)
    refuseStale(vm, wanted.digest)
    if (!wanted.skipLock) refuseIfLocked(vm)
    for (const key of wanted.revert) {
      delete vm.pending[key]
      delete vm.pendingDelete[key]
    }
    for (const key of wanted.remove) markForRemoval(vm, key, wanted.force)
    refuseBadBoot(vm, wanted)
    refuseBalloon(vm, wanted.set)
    await stageAll(call, vm, wanted, worker)
    settle(datacentre, vm, new Set(Object.keys(wanted.set)))
  })
}

/** A change that fails takes away the volumes that it made; a worker that is killed leaves them. */
async function stageAll(call: Call, vm: VmState, wanted: Change, worker: Worker): Promise<void> {
  const made: VolumeState[] = []
  const before = { ...vm.pending }
  try {
    for (const key of inHashOrder(call.datacentre, vm.vmid, wanted.set))
      await stage(call, vm, key, wanted.set[key] ?? '', { worker, made })
  } catch (error) {
    if (worker.isKilled) throw error
    for (const volume of made) dropVolume(call.datacentre, volume)
    vm.pending = before
    throw error
  }
}

function refuseBalloon(vm: VmState, set: Record<string, string>): void {
  const balloon = Number(set.balloon ?? 0)
  if (balloon > 0 && balloon * 1024 ** 2 > memoryOf({ ...pendingConfig(vm), ...set }))
    throw died('balloon value too large (must be smaller than assigned memory)')
}

function refuseBadBoot(vm: VmState, { set }: Change): void {
  if (set.boot === undefined) return
  for (const device of bootOrderOf({ boot: set.boot })) {
    const exists = pendingConfig(vm)[device] !== undefined || set[device] !== undefined
    if (!exists) throw died(`invalid bootorder: device '${device}' does not exist'`)
  }
}

function markForRemoval(vm: VmState, key: string, force: boolean): void {
  if (vm.config.protection === '1' && isDriveKey(key))
    throw died(`can't remove drive '${key}' - protection mode enabled`)
  delete vm.pending[key]
  if (vm.config[key] !== undefined) vm.pendingDelete[key] = force ? 2 : 1
}

/** The original walks a hash: which of `boot` and a new CD drive comes last is a matter of luck. */
function inHashOrder({ random, optionOrder }: Datacentre, vmid: number, set: Record<string, string>): string[] {
  const keys = Object.keys(set).sort()
  const reported = optionOrder?.(vmid, keys)
  if (reported !== undefined) return [...reported]
  return random.integer(2) === 0 ? keys : keys.reverse()
}

async function stage(
  call: Call,
  vm: VmState,
  key: string,
  value: string,
  work: { worker: Worker; made: VolumeState[] },
): Promise<void> {
  const { datacentre } = call
  const { pve, random } = datacentre
  const isNew = vm.config[key] === undefined
  delete vm.pendingDelete[key]
  if (isDriveKey(key)) {
    const stored = await fillDrive({ datacentre, vm, ...work }, parseDrive(pve, key, value))
    vm.pending[key] = printDrive(stored)
    if (isNew && isDiskKey(key) && isCdrom(stored)) appendToBoot(vm, key)
  } else if (isNetKey(key)) vm.pending[key] = normaliseNet(pve, value, random, macPrefix(datacentre))
  else if (key === 'tags')
    vm.pending.tags = storedText(key, normaliseTags(value, datacentre.state.options['tag-style']))
  else if (key === 'description' && value === '') vm.pendingDelete.description = 1
  else vm.pending[key] = storedText(key, value)
}

function appendToBoot(vm: VmState, key: string): void {
  const order = bootOrderOf(vm.config)
  if (order.length === 0 || order.includes(key)) return
  vm.pending.boot = `order=${[...order, key].join(';')}`
}

/** A stopped VM takes everything at once; a running one what can be changed while it runs. */
function settle(datacentre: Datacentre, vm: VmState, changed: ReadonlySet<string>): void {
  dropEqual(vm)
  if (vm.running) changeRunning(datacentre, vm, changed)
  else applyPending(datacentre, vm)
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
