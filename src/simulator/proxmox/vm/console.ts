import { nameOf } from '../access/permissions.js'
import { died } from '../api-error.js'
import { getRunnable, getVm } from '../datacenter.js'
import { type Call, type Routes, text, vmidOf } from '../http/call.js'

function monitor(call: Call): string {
  const vm = getVm(call.datacenter, call.host, vmidOf(call))
  if (!vm.running) return `ERROR: VM ${vm.vmid} not running\n`
  return text(call, 'command') === 'info status' ? `VM status: ${vm.paused ? 'paused' : 'running'}\r\n` : ''
}

function sendKey(call: Call): null {
  const vm = getRunnable(call.datacenter, call.host, vmidOf(call))
  if (!vm.running) throw died(`VM ${vm.vmid} not running`)
  return null
}

/** Tickets and a port like the original's; nothing serves the port. */
function proxy(call: Call): unknown {
  const { datacenter, host, identity } = call
  const { vmid } = getVm(datacenter, host, vmidOf(call))
  const upid = datacenter.tasks.start({ host, type: 'vncproxy', id: String(vmid), user: nameOf(identity) }, (worker) =>
    worker.sleep(10_000),
  )
  const seconds = Math.floor(datacenter.clock.now() / 1000)
  const password = datacenter.random.hex(8)
  return {
    user: nameOf(identity),
    ticket: `${password}:PVEVNC:${seconds.toString(16).toUpperCase()}::${datacenter.random.hex(64)}`,
    port: String(5900 + (vmid % 100)),
    upid,
    cert: datacenter.certificate,
    password,
  }
}

const base = '/nodes/{node}/qemu/{vmid}'

export const consoleRoutes: Routes = {
  [`POST ${base}/monitor`]: monitor,
  [`PUT ${base}/sendkey`]: sendKey,
  [`POST ${base}/vncproxy`]: proxy,
  [`POST ${base}/termproxy`]: proxy,
}
