import { getVm } from '../datacentre.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, may, type Routes, vmidOf } from '../http/call.js'
import { writeCloudInit } from './cloud-init.js'
import { metaData, networkConfig, userData } from './cloud-init-text.js'
import { pendingConfig } from './config.js'
import { refuseIfLocked } from './start.js'

const cloudInitKey = /^(ciuser|cipassword|citype|ciupgrade|cicustom|nameserver|searchdomain|sshkeys|ipconfig\d+|name)$/

function show(call: Call): unknown[] {
  const vm = getVm(call.datacentre, call.host, vmidOf(call))
  return Object.entries(pendingConfig(vm))
    .filter(([key]) => cloudInitKey.test(key))
    .map(([key, value]) => ({ key, value: key === 'cipassword' ? '**********' : value }))
}

async function regenerate(call: Call): Promise<null> {
  const { datacentre, host } = call
  const vmid = vmidOf(call)
  await datacentre.locks.hold(vmLockFile(vmid), 10_000, () => {
    const vm = getVm(datacentre, host, vmid)
    refuseIfLocked(vm)
    writeCloudInit(datacentre, vm)
  })
  return null
}

function dump(call: Call): string {
  const vm = getVm(call.datacentre, call.host, vmidOf(call))
  const network = networkConfig(call.datacentre, vm)
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
