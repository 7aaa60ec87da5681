import { isRoot, nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Datacenter, findVm, getRunnable, getVm } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { considerHa } from '../ha/manager.js'
import { type Call, find, flag, type Routes, vmidOf } from '../http/call.js'
import type { VmState } from '../state.js'
import type { Worker } from '../tasks.js'
import { refuseUnlessRootSkips } from './create.js'
import { isAgentEnabled } from './hardware.js'
import { refuseIfLocked, startVm, stopVm } from './start.js'

function task(call: Call, type: string, body: (worker: Worker) => Promise<void>): string {
  const { datacenter, host, identity } = call
  return datacenter.tasks.start({ host, type, id: String(vmidOf(call)), user: nameOf(identity) }, body)
}

function isHa({ datacenter }: Call, vmid: number): boolean {
  const resource = datacenter.state.sections.ha?.[`vm:${vmid}`]
  return resource !== undefined && resource.state !== 'ignored'
}

/** For an HA-managed VM this is only a request: the manager acts a little later, as root. */
function requestHa(call: Call, wanted: 'started' | 'stopped'): string {
  const { datacenter } = call
  const vmid = vmidOf(call)
  const verb = wanted === 'started' ? 'start' : 'stop'
  return task(call, `ha${verb}`, async (worker) => {
    worker.log(`Requesting HA ${verb} for VM ${vmid}`)
    considerHa(datacenter, vmid, wanted)
  })
}

function start(call: Call): string {
  const { datacenter, host } = call
  const vmid = vmidOf(call)
  refuseUnlessRootSkips(call, isRoot(call.identity))
  if (!datacenter.state.quorate) throw died('cluster not ready - no quorum?')
  if (isHa(call, vmid)) return requestHa(call, 'started')
  return task(call, 'qmstart', (worker) => startVm(datacenter, host, vmid, worker, flag(call, 'skiplock')))
}

async function stopNow(
  datacenter: Datacenter,
  host: string,
  vmid: number,
  worker: Worker,
  skipLock = false,
): Promise<void> {
  await datacenter.locks.hold(vmLockFile(vmid), 10_000, async () => {
    const vm = getRunnable(datacenter, host, vmid)
    if (!vm.running) return
    if (!skipLock) refuseIfLocked(vm)
    await worker.sleep(taskTime.stop)
    await stopVm(datacenter, vm)
  })
}

function stop(call: Call): string {
  const { datacenter, host } = call
  const vmid = vmidOf(call)
  refuseUnlessRootSkips(call, isRoot(call.identity))
  if (isHa(call, vmid)) {
    if (flag(call, 'overrule-shutdown'))
      throw badParameters({ 'overrule-shutdown': 'Not applicable for HA resources.' })
    return requestHa(call, 'stopped')
  }
  return task(call, 'qmstop', async (worker) => {
    if (flag(call, 'overrule-shutdown')) await overrule(datacenter, vmid, worker)
    await stopNow(datacenter, host, vmid, worker, flag(call, 'skiplock'))
  })
}

async function overrule({ state, tasks }: Datacenter, vmid: number, worker: Worker): Promise<void> {
  const waiting = state.tasks.filter(
    ({ status, type, id }) => status === 'running' && type === 'qmshutdown' && id === String(vmid),
  )
  for (const { upid } of waiting) await tasks.stop(upid)
  if (waiting.length > 0) worker.log(`overruled qmshutdown tasks: ${waiting.map(({ upid }) => upid).join(', ')}`)
}

/** Asks the guest to shut down and waits for it; the flock is held for the whole time. */
async function askToGoDown(call: Call, worker: Worker, forceStop: boolean): Promise<void> {
  const { datacenter, host } = call
  const vmid = vmidOf(call)
  await datacenter.locks.hold(vmLockFile(vmid), 10_000, async () => {
    const vm = getRunnable(datacenter, host, vmid)
    if (!vm.running) return
    if (!flag(call, 'skiplock')) refuseIfLocked(vm)
    const timeoutMs = 1000 * Number(find(call, 'timeout') ?? downTimeout(vm) ?? 60)
    await sendShutdown(datacenter, vm, worker)
    const deadline = datacenter.clock.now() + timeoutMs
    while (vm.running && datacenter.clock.now() < deadline)
      await worker.sleep(Math.min(500, Math.max(1, deadline - datacenter.clock.now())))
    if (!vm.running) return
    if (!forceStop) throw died('VM quit/powerdown failed - got timeout')
    worker.log('VM still running - terminating now with SIGTERM')
    await stopVm(datacenter, vm)
  })
}

function downTimeout({ config }: VmState): string | undefined {
  return /down=(\d+)/.exec(config.startup ?? '')?.[1]
}

async function sendShutdown(datacenter: Datacenter, vm: VmState, worker: Worker): Promise<void> {
  const guest = datacenter.machines.find(vm.vmid)
  if (!isAgentEnabled(vm.config)) return guest?.acpiShutdown()
  if (guest?.agent() !== undefined) return guest.agentShutdown()
  await worker.sleep(3000)
  const kind = datacenter.pve === 8 ? 'qmp' : 'qga'
  worker.log(`QEMU Guest Agent is not running - VM ${vm.vmid} ${kind} command 'guest-ping' failed - got timeout`)
  guest?.acpiShutdown()
}

function shutdown(call: Call): string {
  const vmid = vmidOf(call)
  refuseUnlessRootSkips(call, isRoot(call.identity))
  const vm = findVm(call.datacenter, call.host, vmid)
  if (vm?.paused === true) throw died('VM is paused - cannot shutdown')
  if (isHa(call, vmid)) return requestHa(call, 'stopped')
  return task(call, 'qmshutdown', (worker) => askToGoDown(call, worker, flag(call, 'forceStop')))
}

function runningVm(call: Call): VmState {
  const vm = getRunnable(call.datacenter, call.host, vmidOf(call))
  if (!vm.running) throw died(`VM ${vm.vmid} not running`)
  return vm
}

/** Stop, then start with everything that was pending. */
function reboot(call: Call): string {
  const { datacenter } = call
  const vm = runningVm(call)
  return task(call, 'qmreboot', async (worker) => {
    await askToGoDown(call, worker, false)
    datacenter.clock.after(1000, () => {
      datacenter.tasks.start({ host: vm.host, type: 'qmstart', id: String(vm.vmid), user: 'root@pam' }, (starter) =>
        startVm(datacenter, vm.host, vm.vmid, starter),
      )
    })
  })
}

function reset(call: Call): string {
  const vm = runningVm(call)
  return task(call, 'qmreset', async () => {
    refuseIfLocked(vm)
    await call.datacenter.machines.find(vm.vmid)?.reset()
  })
}

function suspend(call: Call): string {
  const vm = runningVm(call)
  if (!flag(call, 'todisk'))
    return task(call, 'qmpause', async () => {
      vm.paused = true
    })
  return task(call, 'qmsuspend', async (worker) => {
    await worker.sleep(taskTime.stop)
    await stopVm(call.datacenter, vm)
    vm.config.lock = 'suspended'
  })
}

function resume(call: Call): string {
  const vm = runningVm(call)
  return task(call, 'qmresume', async () => {
    vm.paused = false
  })
}

const base = '/nodes/{node}/qemu/{vmid}/status'

export const powerRoutes: Routes = {
  [`GET ${base}`]: (call) => {
    getVm(call.datacenter, call.host, vmidOf(call))
    return ['current', 'start', 'stop', 'reset', 'shutdown', 'suspend', 'reboot'].map((subdir) => ({ subdir }))
  },
  [`POST ${base}/start`]: start,
  [`POST ${base}/stop`]: stop,
  [`POST ${base}/shutdown`]: shutdown,
  [`POST ${base}/reboot`]: reboot,
  [`POST ${base}/reset`]: reset,
  [`POST ${base}/suspend`]: suspend,
  [`POST ${base}/resume`]: resume,
}
