import { isRoot, nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Datacenter, getVm } from '../datacenter.js'
import { type Call, flag, type Routes, text, vmidOf } from '../http/call.js'
import { migrateVm } from '../vm/migrate.js'
import { refuseIfLocked } from '../vm/start.js'
import { requestMove } from './manager.js'
import { boundTo } from './placement.js'
import { refuseInError, sidOf } from './resources.js'
import { haStateOf } from './services.js'

function move(verb: 'migrate' | 'relocate') {
  return (call: Call) => {
    const { datacenter } = call
    const sid = sidOf(call)
    const resource = datacenter.state.sections.ha?.[sid]
    if (resource === undefined || resource.state === 'ignored') throw died(`resource '${sid}' is not HA managed`)
    refuseInError(datacenter, sid)
    const node = text(call, 'node')
    requestMove(datacenter, sid, verb, node)
    return datacenter.pve === 8 ? null : { sid, 'requested-node': node, ...companions(datacenter, sid, node) }
  }
}

/** Resources that move along, and those that block the move. */
function companions(datacenter: Datacenter, sid: string, node: string): Record<string, unknown> {
  const { services } = haStateOf(datacenter)
  const along = boundTo(datacenter, sid, 'positive').filter((other) => services[other] !== undefined)
  const blocking = boundTo(datacenter, sid, 'negative').filter((other) => services[other]?.node === node)
  return {
    ...(along.length === 0 ? {} : { 'comigrated-resources': along }),
    ...(blocking.length === 0
      ? {}
      : { 'blocking-resources': blocking.map((other) => ({ sid: other, cause: 'resource-affinity' })) }),
  }
}

/** The HA manager moves its VMs: the task only requests it. */
function migrateOrRequest(call: Call): string {
  const { datacenter, host, identity } = call
  const vmid = vmidOf(call)
  const resource = datacenter.state.sections.ha?.[`vm:${vmid}`]
  if (resource === undefined || resource.state === 'ignored') return migrateVm(call)
  const target = text(call, 'target')
  if (target === host) throw badParameters({ target: 'target is local node.' })
  if (datacenter.state.hosts[target] === undefined) throw died(`no such cluster node '${target}'`)
  if (flag(call, 'force') && !isRoot(identity)) throw badParameters({ force: 'Only root may use this option.' })
  const vm = getVm(datacenter, host, vmid)
  refuseIfLocked(vm)
  if (vm.running && !flag(call, 'online')) throw died("can't migrate running VM without --online")
  return datacenter.tasks.start(
    { host, type: 'hamigrate', id: String(vmid), user: nameOf(identity) },
    async (worker) => {
      worker.log(`Requesting HA migration for VM ${vmid} to node ${target}`)
      refuseInError(datacenter, `vm:${vmid}`)
      requestMove(datacenter, `vm:${vmid}`, 'migrate', target)
    },
  )
}

/** Moves through the HA manager. */
export const haMoveRoutes: Routes = {
  'POST /cluster/ha/resources/{sid}/migrate': move('migrate'),
  'POST /cluster/ha/resources/{sid}/relocate': move('relocate'),
  'POST /nodes/{node}/qemu/{vmid}/migrate': migrateOrRequest,
}
