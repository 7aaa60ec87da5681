import { getVm } from '../datacenter.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, may, type Routes, vmidOf } from '../http/call.js'
import { writeCloudInit } from './cloud-init.js'
import { metaData, networkConfig, userData } from './cloud-init-text.js'
import { pendingConfig } from './config.js'
import { refuseIfLocked } from './start.js'

const cloudInitKey = /^(ciuser|cipassword|citype|ciupgrade|cicustom|nameserver|searchdomain|sshkeys|ipconfig\d+|name)$/

function show(call: Call): unknown[] {
  const vm = getVm(call.datacenter, call.host, vmidOf(call))
  return Object.entries(pendingConfig(vm))
    .filter(([key]) => cloudInitKey.test(key))
    .map(([key, value]) => ({ key, value: key === 'cipassword' ? '**********' : value }))
}

async function regenerate(call: Call): Promise<null> {
  const { datacenter, host } = call
  const vmid = vmidOf(call)
  await datacenter.locks.hold(vmLockFile(vmid), 10_000, () => {
    const vm = getVm(datacenter, host, vmid)
    refuseIfLocked(vm)
    writeCloudInit(datacenter, vm)
  })
  return null
}

function dump(call: Call): string {
  const vm = getVm(call.datacenter, call.host, vmidOf(call))
  const network = networkConfig(call.datacenter, vm)
  if (find(call, 'type') === 'network') return network
  if (find(call, 'type') === 'meta') return metaData(userData(vm), network)
  return userData(vm, !may(call, `/vms/${vm.vmid}`, ['VM.Config.Cloudinit']))
}

const base = '/nodes/{node}/qemu/{vmid}/cloudinit'

export const cloudInitRoutes: Routes = {
  [`GET ${base}`]: show,
  [`PUT ${base}`]: regenerate,
  [`GET ${base}/dump`]: dump,
}
