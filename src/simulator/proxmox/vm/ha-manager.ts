import type { Datacentre } from '../datacentre.js'
import type { VmState } from '../state.js'
import { startVm, stopVm } from './start.js'

const roundMs = 10_000
const fenceMs = 120_000

/** The manager looks at a wish in its next round, and acts as root. */
export function considerHa(datacentre: Datacentre, vmid: number, wanted?: 'started' | 'stopped'): void {
  datacentre.clock.after(roundMs, () => {
    const resource = datacentre.state.sections.ha?.[`vm:${vmid}`]
    if (resource !== undefined && wanted !== undefined) resource.state = wanted
    act(datacentre, vmid)
  })
}

function wishOf({ state }: Datacentre, vmid: number): string | undefined {
  const resource = state.sections.ha?.[`vm:${vmid}`]
  return resource === undefined ? undefined : String(resource.state ?? 'started')
}

function act(datacentre: Datacentre, vmid: number): void {
  const vm = datacentre.state.vms[String(vmid)]
  const wish = wishOf(datacentre, vmid)
  if (vm === undefined || wish === undefined || wish === 'ignored') return
  if (wish === 'started' && !vm.running) begin(datacentre, vm)
  else if (wish !== 'started' && vm.running) end(datacentre, vm)
  vm.ha = wish === 'started' ? 'started' : 'request_stop'
}

function begin(datacentre: Datacentre, vm: VmState): void {
  datacentre.tasks.start({ host: vm.host, type: 'qmstart', id: String(vm.vmid), user: 'root@pam' }, (worker) =>
    startVm(datacentre, vm.host, vm.vmid, worker),
  )
}

function end(datacentre: Datacentre, vm: VmState): void {
  datacentre.tasks.start({ host: vm.host, type: 'qmstop', id: String(vm.vmid), user: 'root@pam' }, () =>
    stopVm(datacentre, vm),
  )
}

/** A VM that went down by itself is started again; one whose host is dead comes up elsewhere once the host is fenced. */
export function recoverHa(datacentre: Datacentre, vm: VmState): void {
  if (wishOf(datacentre, vm.vmid) !== 'started') return
  const host = datacentre.state.hosts[vm.host]
  if (host?.online === true) considerHa(datacentre, vm.vmid)
  else datacentre.clock.after(fenceMs, () => moveAway(datacentre, vm))
}

function moveAway(datacentre: Datacentre, vm: VmState): void {
  const { hosts, quorate } = datacentre.state
  const refuge = Object.values(hosts).find(({ online }) => online)
  if (hosts[vm.host]?.online === true || !quorate || refuge === undefined) {
    considerHa(datacentre, vm.vmid)
    return
  }
  vm.host = refuge.name
  act(datacentre, vm.vmid)
}
