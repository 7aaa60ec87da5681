import { createPermissions } from '../access/permissions.js'
import type { Datacenter } from '../datacenter.js'
import type { VmState } from '../state.js'
import type { Worker } from '../tasks.js'
import { migrateVm } from '../vm/migrate.js'
import { startVm, stopVm } from '../vm/start.js'
import type { HaService } from './services.js'

const root = 'root@pam'

/** What the host of a service does for it, as root; `undefined` if there is nothing to do. */
export function workFor(datacenter: Datacenter, service: HaService): (() => Promise<boolean>) | undefined {
  const { vm, status } = service
  if (status.result !== undefined) return undefined
  if (status.state === 'started')
    return vm.running ? (status.running ? undefined : done) : () => start(datacenter, service)
  if (status.state === 'request_stop' || status.state === 'stopped')
    return vm.running ? () => stop(datacenter, service) : status.state === 'stopped' ? undefined : done
  if (status.state === 'migrate' || status.state === 'relocate') return () => move(datacenter, service)
  return undefined
}

const done = async () => true

/** Starts it; a failed start is repeated here before it is reported, unless the host itself went down. */
async function start(datacenter: Datacenter, { vm, status, resource }: HaService): Promise<boolean> {
  for (;;) {
    const ended = await task(datacenter, vm, 'qmstart', (worker) => startVm(datacenter, vm.host, vm.vmid, worker))
    if (ended === 'OK' || wasKilled(ended) || status.tries >= Number(resource.max_restart ?? 1)) return ended === 'OK'
    status.tries++
  }
}

/** The result of a worker that was cut off. */
function wasKilled(ended: string): boolean {
  return ended === 'unexpected status' || ended.startsWith('unable to read tail')
}

/** A stop request stops the VM at once; a VM that is no longer wanted is shut down, with a minute's grace. */
async function stop(datacenter: Datacenter, { vm, status }: HaService): Promise<boolean> {
  const seconds = status.command?.[0] === 'stop' ? Number(status.command[1]) : 60
  delete status.command
  if (seconds === 0) return (await task(datacenter, vm, 'qmstop', () => stopVm(datacenter, vm))) === 'OK'
  const ended = await task(datacenter, vm, 'qmshutdown', async (worker) => {
    const deadline = datacenter.clock.now() + seconds * 1000
    datacenter.machines.find(vm.vmid)?.acpiShutdown()
    while (vm.running && datacenter.clock.now() < deadline) await worker.sleep(500)
    if (!vm.running) return
    worker.log('VM still running - terminating now with SIGTERM')
    await stopVm(datacenter, vm)
  })
  return ended === 'OK'
}

/** Live migration; relocation stops it first. */
async function move(datacenter: Datacenter, service: HaService): Promise<boolean> {
  const { vm, status } = service
  const { target = vm.host } = status
  if (vm.host === target) return true
  if (status.state === 'relocate' && vm.running && !(await stop(datacenter, service))) return false
  try {
    const upid = migrateVm({
      datacenter,
      permissions: createPermissions(datacenter.state, datacenter.pve),
      identity: { user: root },
      parameters: { vmid: String(vm.vmid), target, online: '1', 'with-local-disks': '1', force: '1' },
      host: vm.host,
      entry: vm.host,
      extra: {},
    })
    await datacenter.tasks.ended(upid)
  } catch {
    return false
  }
  return vm.host === target
}

/** Runs a worker on the VM's host, and returns its result. */
async function task(
  datacenter: Datacenter,
  vm: VmState,
  type: string,
  body: (worker: Worker) => Promise<void>,
): Promise<string> {
  const upid = datacenter.tasks.start({ host: vm.host, type, id: String(vm.vmid), user: root }, body)
  await datacenter.tasks.ended(upid)
  return datacenter.tasks.find(upid)?.exitstatus ?? ''
}
