import { type Datacenter, getVm } from '../datacenter.js'
import { type Call, flag, may, type Routes, vmidOf } from '../http/call.js'
import type { VmState } from '../state.js'
import { findVolume } from '../storage/storages.js'
import { bootOrderOf, coresOf, memoryOf } from './config.js'
import { isDiskKey, parseSize } from './drive.js'
import { isAgentEnabled } from './hardware.js'

/** The size of its boot disk. */
function bootDiskSize(datacenter: Datacenter, vm: VmState): number {
  const order = bootOrderOf(vm.config)
  const keys = order.length > 0 ? order : legacyBootKeys(vm)
  for (const key of keys) {
    const value = vm.config[key]
    if (value === undefined || !isDiskKey(key)) continue
    const [file = ''] = value.split(',')
    if (/media=cdrom/.test(value) || file === 'none' || file === 'cdrom') continue
    return parseSize(/size=([^,]+)/.exec(value)?.[1] ?? '0') || (findVolume(datacenter, file, vm.host)?.size ?? 0)
  }
  return 0
}

function legacyBootKeys({ config }: VmState): string[] {
  return config.boot === undefined ? Object.keys(config).filter(isDiskKey) : []
}

/** What every list of VMs reports about one. */
export function summaryOf(datacenter: Datacenter, vm: VmState): Record<string, unknown> {
  const { config } = vm
  const cores = coresOf(config)
  const memory = memoryOf(config)
  const balloon = Number(config.balloon ?? 0)
  return {
    vmid: vm.vmid,
    name: config.name ?? `VM ${vm.vmid}`,
    status: vm.running ? 'running' : 'stopped',
    cpus: datacenter.pve === 8 || !vm.running ? Math.min(cores, datacenter.state.hosts[vm.host]?.cpus ?? cores) : cores,
    cpu: vm.running ? 0.01 : 0,
    maxmem: memory,
    mem: vm.running ? Math.floor(memory / 3) : 0,
    ...(datacenter.pve === 9 ? { memhost: vm.running ? Math.floor(memory / 3) : 0 } : {}),
    maxdisk: bootDiskSize(datacenter, vm),
    disk: 0,
    uptime: vm.running ? Math.floor((datacenter.clock.now() - vm.startedAt) / 1000) : 0,
    netin: 0,
    netout: 0,
    ...(config.template === '1' ? { template: 1 } : {}),
    ...(config.tags === undefined ? {} : { tags: config.tags }),
    ...(config.lock === undefined ? {} : { lock: config.lock }),
    ...(config.serial0 === undefined ? {} : { serial: 1 }),
    ...(balloon > 0 ? { balloon_min: balloon * 1024 ** 2, shares: Number(config.shares ?? 1000) } : {}),
    ...(vm.running ? { pid: vm.pid } : {}),
    ...(vm.running && datacenter.pve === 9 ? pressures : {}),
  }
}

const pressures = {
  pressurecpufull: 0,
  pressurecpusome: 0,
  pressureiofull: 0,
  pressureiosome: 0,
  pressurememoryfull: 0,
  pressurememorysome: 0,
}

function qmpStatus(vm: VmState): string {
  return vm.running ? (vm.qmpStatus ?? (vm.paused ? 'paused' : 'running')) : 'stopped'
}

function current(call: Call): Record<string, unknown> {
  const { datacenter, host } = call
  const vm = getVm(datacenter, host, vmidOf(call))
  return {
    ...summaryOf(datacenter, vm),
    qmpstatus: qmpStatus(vm),
    ha: haOf(datacenter, vm),
    ...(vm.config.vga === undefined || !vm.config.vga.includes(',')
      ? {}
      : { clipboard: /clipboard=([^,]+)/.exec(vm.config.vga)?.[1] ?? null }),
    ...(isAgentEnabled(vm.config) ? { agent: 1 } : {}),
    ...(vm.running ? liveDetails(vm) : {}),
  }
}

function haOf({ state, pve }: Datacenter, vm: VmState): Record<string, unknown> {
  const resource = state.sections.ha?.[`vm:${vm.vmid}`]
  if (resource === undefined) return { managed: 0 }
  return { managed: 1, state: vm.ha ?? null, ...(pve === 8 ? { group: resource.group ?? null } : {}) }
}

function liveDetails(vm: VmState): Record<string, unknown> {
  const nets = Object.keys(vm.config).filter((key) => /^net\d+$/.test(key))
  if (nets.length === 0) return {}
  return {
    nics: Object.fromEntries(nets.map((key) => [`tap${vm.vmid}i${key.slice(3)}`, { netin: 0, netout: 0 }])),
  }
}

function list(call: Call): unknown[] {
  const { datacenter, host } = call
  const seen = Object.values(datacenter.state.vms).filter(
    (vm) => vm.host === host && may(call, `/vms/${vm.vmid}`, ['VM.Audit']),
  )
  return seen.map((vm) => ({
    ...summaryOf(datacenter, vm),
    ...(flag(call, 'full') ? { qmpstatus: qmpStatus(vm), ...(vm.running ? liveDetails(vm) : {}) } : {}),
  }))
}

export const statusRoutes: Routes = {
  'GET /nodes/{node}/qemu': list,
  'GET /nodes/{node}/qemu/{vmid}/status/current': current,
}
