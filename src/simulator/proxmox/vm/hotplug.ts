import { badParameters } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { splitList } from '../schema/formats.js'
import type { VmState } from '../state.js'
import { isCdrom, isDiskKey, parseDrive } from './drive.js'
import { isNetKey, parseNet } from './net.js'
import { applyChange, applyDelete } from './pending.js'

const always = new Set([
  'name',
  'description',
  'onboot',
  'protection',
  'startup',
  'tags',
  'shares',
  'vmstatestorage',
  'hookscript',
  'lock',
  'autostart',
  'cpuunits',
  'cpulimit',
])
const cloudInit = /^(ciuser|cipassword|citype|ciupgrade|cicustom|nameserver|searchdomain|sshkeys|ipconfig\d+)$/

function isPlugged(config: Readonly<Record<string, string>>, feature: string): boolean {
  const hotplug = config.hotplug ?? '1'
  if (hotplug === '0') return false
  return hotplug === '1' ? ['network', 'disk', 'usb'].includes(feature) : splitList(hotplug).includes(feature)
}

/** Applies what a running VM accepts at once and leaves the rest pending. */
export function changeRunning(datacenter: Datacenter, vm: VmState, changed: ReadonlySet<string>): void {
  const errors: Record<string, string> = {}
  for (const key of Object.keys(vm.pendingDelete))
    if (canChange(datacenter, vm, key, vm.config[key])) applyDelete(datacenter, vm, key)
  for (const key of Object.keys(vm.pending)) {
    if (!canChange(datacenter, vm, key, vm.pending[key])) continue
    const problem = pluggingProblem(datacenter, vm, key)
    if (problem === undefined) applyChange(datacenter, vm, key)
    else if (changed.has(key)) errors[key] = problem
  }
  if (Object.keys(errors).length > 0) throw badParameters(errors)
}

function canChange({ pve }: Datacenter, vm: VmState, key: string, value: string | undefined): boolean {
  if (always.has(key) || cloudInit.test(key) || /^unused\d+$/.test(key)) return true
  if (key === 'balloon') return vm.config.balloon !== '0' && value !== '0'
  if (isNetKey(key)) return isPlugged(vm.config, 'network')
  if (!isDiskKey(key)) return false
  if (value !== undefined && vm.config[key] !== undefined && isCdrom(parseDrive(pve, key, vm.config[key] ?? '')))
    return isCdrom(parseDrive(pve, key, value)) && vm.pendingDelete[key] === undefined
  return /^(scsi|virtio)/.test(key) && isPlugged(vm.config, 'disk')
}

function pluggingProblem({ pve, state }: Datacenter, vm: VmState, key: string): string | undefined {
  if (!isNetKey(key)) return undefined
  const { bridge = '' } = parseNet(pve, vm.pending[key] ?? '')
  if (state.hosts[vm.host]?.interfaces[bridge] !== undefined) return undefined
  return `hotplug problem - VM ${vm.vmid} qmp command 'netdev_add' failed - network script /usr/libexec/qemu-server/pve-bridge-hotplug failed with status 512\n`
}
