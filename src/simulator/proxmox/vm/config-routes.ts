import { badParameters, died } from '../api-error.js'
import { getVm } from '../datacenter.js'
import { type Call, find, flag, type Routes, vmidOf } from '../http/call.js'
import { digestOf, showConfig, showOptions, typed } from './config.js'
import { createOrRestoreVm } from './restore.js'
import { unlinkDrives, updateLater, updateNow } from './update.js'

const subdirectories =
  'config cloudinit pending status unlink vncproxy termproxy migrate resize move rrd rrddata monitor agent snapshot spiceproxy sendkey firewall mtunnel remote_migrate'

function config(call: Call): unknown {
  const { datacenter, host } = call
  const snapshot = find(call, 'snapshot')
  if (snapshot !== undefined && flag(call, 'current')) {
    const complaint = "cannot use 'snapshot' parameter with 'current'"
    throw badParameters({ snapshot: complaint, current: complaint })
  }
  const vm = getVm(datacenter, host, vmidOf(call))
  if (snapshot === undefined) return showConfig(datacenter, vm, flag(call, 'current'))
  const kept = vm.snapshots[snapshot]
  if (kept === undefined) throw died(`snapshot '${snapshot}' does not exist`)
  const { snaptime, description } = kept
  return {
    ...showOptions(datacenter.pve, kept.config),
    snaptime,
    ...(description === '' ? {} : { description }),
    digest: digestOf(vm),
  }
}

function pending(call: Call): unknown[] {
  const { datacenter, host } = call
  const { pve } = datacenter
  const vm = getVm(datacenter, host, vmidOf(call))
  const keys = new Set([...Object.keys(vm.config), ...Object.keys(vm.pending), ...Object.keys(vm.pendingDelete)])
  const entries = [...keys].map((key) => {
    const value = vm.config[key]
    const next = vm.pending[key]
    const removal = vm.pendingDelete[key]
    const show = (text: string) => (key === 'cipassword' ? '**********' : typed(pve, key, text))
    return {
      key,
      ...(value === undefined ? {} : { value: show(value) }),
      ...(next === undefined ? {} : { pending: show(next) }),
      ...(removal === undefined ? {} : { delete: removal }),
    }
  })
  return [...entries, { key: 'digest', value: digestOf(vm) }]
}

export const configRoutes: Routes = {
  'POST /nodes/{node}/qemu': createOrRestoreVm,
  'GET /nodes/{node}/qemu/{vmid}': () => subdirectories.split(' ').map((subdir) => ({ subdir })),
  'GET /nodes/{node}/qemu/{vmid}/config': config,
  'GET /nodes/{node}/qemu/{vmid}/pending': pending,
  'PUT /nodes/{node}/qemu/{vmid}/config': updateNow,
  'POST /nodes/{node}/qemu/{vmid}/config': updateLater,
  'PUT /nodes/{node}/qemu/{vmid}/unlink': unlinkDrives,
}
