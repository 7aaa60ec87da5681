import type { VmRef } from '../../cluster/machine.js'
import { isProxmoxError } from '../model/proxmox-error.js'
import { formatSize } from '../model/size.js'
import { type Fields, fieldsOf, findText, flag, listOf, number, optional, text } from './fields.js'
import type {
  ConfigChange,
  MachineCalls,
  MigrationAnswer,
  PendingChange,
  SeenOptions,
  TaskRef,
  VmConfig,
  VmStatus,
} from './port.js'
import { type StartTask, taskOf } from './start-task.js'
import type { ProxmoxApi } from './transport/api.js'
import type { Call } from './transport/call.js'
import type { Form } from './transport/form.js'

export function machineCalls(api: ProxmoxApi, startTask: StartTask): MachineCalls {
  /** Each of these calls returns the name of a task. */
  const start = async (call: Call, vm: VmRef, types: readonly string[], signal: AbortSignal): Promise<TaskRef> => {
    return taskOf(call, await startTask(call, { host: vm.host, types, id: String(vm.vmid) }, signal))
  }
  const power = (verb: string, types: readonly string[]) => (vm: VmRef, signal: AbortSignal) =>
    start({ method: 'POST', path: `${pathOf(vm)}/status/${verb}`, form: {} }, vm, types, signal)

  return {
    findConfig: (vm, signal) => ifVisible(vm, api.get(`${pathOf(vm)}/config`, {}, signal).then(readConfig)),
    findOptions: (vm, signal) => ifVisible(vm, api.get(`${pathOf(vm)}/pending`, {}, signal).then(readOptions)),
    pending: async (vm, signal) => listOf(await api.get(`${pathOf(vm)}/pending`, {}, signal)).flatMap(readPending),
    findStatus: (vm, signal) => ifVisible(vm, api.get(`${pathOf(vm)}/status/current`, {}, signal).then(readStatus)),
    create: (vm, options, signal) => {
      const form = { vmid: vm.vmid, ...options }
      return start({ method: 'POST', path: `/nodes/${vm.host}/qemu`, form }, vm, ['qmcreate'], signal)
    },
    configure: (vm, change, signal) => {
      const call = { method: 'POST', path: `${pathOf(vm)}/config`, form: formOf(change) } as const
      return start(call, vm, ['qmconfig'], signal)
    },
    setOptions: async (vm, change, signal) => void (await api.put(`${pathOf(vm)}/config`, formOf(change), signal)),
    resize: (vm, disk, size, digest, signal) => {
      const form = { disk, size: formatSize(size), digest }
      return start({ method: 'PUT', path: `${pathOf(vm)}/resize`, form }, vm, ['resize'], signal)
    },
    clone: async (source, { vmid, full, ...rest }, signal) => {
      const form = { newid: vmid, full, ...rest }
      const call = { method: 'POST', path: `${pathOf(source)}/clone`, form } as const
      // The task is listed under the source, which may have several at once; only its log names the clone.
      const expected = { host: source.host, types: ['qmclone'], id: String(source.vmid), mentions: `vm-${vmid}-` }
      return taskOf(call, await startTask(call, expected, signal))
    },
    convertToTemplate: (vm, signal) =>
      start({ method: 'POST', path: `${pathOf(vm)}/template` }, vm, ['qmtemplate'], signal),
    start: power('start', ['qmstart', 'hastart']),
    stop: power('stop', ['qmstop', 'hastop']),
    shutdown: power('shutdown', ['qmshutdown', 'hastop']),
    remove: (vm, signal) =>
      start({ method: 'DELETE', path: pathOf(vm), form: { purge: true } }, vm, ['qmdestroy'], signal),
    migrate: (vm, { target, online, withLocalDisks, targetStorage }, signal) => {
      const form = { target, online, 'with-local-disks': withLocalDisks || undefined, targetstorage: targetStorage }
      return start({ method: 'POST', path: `${pathOf(vm)}/migrate`, form }, vm, ['qmigrate', 'hamigrate'], signal)
    },
    askMigration: async (vm, target, signal) =>
      readMigration(await api.get(`${pathOf(vm)}/migrate`, { target }, signal), target ?? ''),
  }
}

/** `/nodes/pve1/qemu/100`. */
export function pathOf({ host, vmid }: VmRef): string {
  return `/nodes/${host}/qemu/${vmid}`
}

/** For a token that sees only a pool, Proxmox returns the same error for a missing and for a hidden VM. */
async function ifVisible<T>({ vmid }: VmRef, look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (thrown) {
    const isHidden = isProxmoxError(thrown, 'forbidden') && thrown.reason.includes(`(/vms/${vmid}, VM.Audit)`)
    if (isHidden || isProxmoxError(thrown, 'no-vm')) return undefined
    throw thrown
  }
}

function formOf({ set, delete: keys, deletesDisks, digest }: ConfigChange): Form {
  return {
    ...set,
    ...(keys?.length ? { delete: keys.join(',') } : {}),
    ...(deletesDisks ? { force: true } : {}),
    digest,
  }
}

function readConfig(data: unknown): VmConfig {
  const { digest, ...options } = fieldsOf(data)
  const entries = Object.entries(options).map(([key, value]) => [key, String(value)] as const)
  return { options: Object.fromEntries(entries), digest: String(digest ?? '') }
}

/** Proxmox lists every key; pending keys have a pending value or a deletion mark. */
function readPending(entry: Fields): PendingChange[] {
  const pending = findText(entry, 'pending')
  const isDeleted = number(entry, 'delete') > 0
  if (pending === undefined && !isDeleted) return []
  const change = { key: text(entry, 'key'), isDeleted }
  return [{ ...change, ...optional('value', findText(entry, 'value')), ...optional('pending', pending) }]
}

/** Every option is listed with its value; options that are pending deletion are left out. */
function readOptions(data: unknown): SeenOptions {
  const entries = listOf(data).map((entry) => ({
    key: text(entry, 'key'),
    value: findText(entry, 'pending') ?? findText(entry, 'value'),
    isDeleted: number(entry, 'delete') > 0,
    isPending: findText(entry, 'pending') !== undefined || number(entry, 'delete') > 0,
    running: findText(entry, 'value'),
  }))
  const kept = entries.filter(({ isDeleted }) => !isDeleted)
  return {
    options: Object.fromEntries(kept.map(({ key, value }) => [key, value ?? ''])),
    pending: entries.filter(({ isPending }) => isPending).map(({ key }) => key),
    running: Object.fromEntries(
      entries.flatMap(({ key, isPending, running }) => (isPending && running !== undefined ? [[key, running]] : [])),
    ),
  }
}

function readStatus(data: unknown): VmStatus {
  const fields = fieldsOf(data)
  return {
    status: text(fields, 'status') === 'running' ? 'running' : 'stopped',
    qmpStatus: text(fields, 'qmpstatus'),
    uptime: number(fields, 'uptime'),
    haManaged: flag(fieldsOf(fields.ha), 'managed'),
    ...optional('lock', findText(fields, 'lock')),
  }
}

/**
 * Older versions list mapped devices with those of the host. Some report the allowed hosts only for a VM that is off.
 */
function readMigration(data: unknown, target: string): MigrationAnswer {
  const fields = fieldsOf(data)
  const lacking = fieldsOf(fieldsOf(fields.not_allowed_nodes)[target])
  return {
    isRunning: flag(fields, 'running'),
    devices: [...new Set([...textsOf(fields.local_resources), ...textsOf(fields['mapped-resources'])])],
    localVolumes: listOf(fields.local_disks)
      .filter((disk) => !flag(disk, 'shared'))
      .map((disk) => ({ volid: text(disk, 'volid'), isMedium: flag(disk, 'cdrom') })),
    lacks: Object.values(lacking).flatMap(textsOf),
    apartFrom: listOf(lacking['blocking-ha-resources']).map((one) => text(one, 'sid')),
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
