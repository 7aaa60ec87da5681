import { createPermissions } from '../access/permissions.js'
import type { Datacentre } from '../datacentre.js'
import type { VmState } from '../state.js'
import type { Worker } from '../tasks.js'
import type { HaService } from './ha-services.js'
import { migrateVm } from './migrate.js'
import { startVm, stopVm } from './start.js'

const root = 'root@pam'

/** What the host of a service does for it, as root; `undefined` if there is nothing to do. */
export function workFor(datacentre: Datacentre, service: HaService): (() => Promise<boolean>) | undefined {
  const { vm, status } = service
  if (status.result !== undefined) return undefined
  if (status.state === 'started')
    return vm.running ? (status.running ? undefined : done) : () => start(datacentre, service)
  if (status.state === 'request_stop' || status.state === 'stopped')
    return vm.running ? () => stop(datacentre, service) : status.state === 'stopped' ? undefined : done
  if (status.state === 'migrate' || status.state === 'relocate') return () => move(datacentre, service)
  return undefined
}

const done = async () => true

/** Starts it; a failed start is repeated here before it is reported, unless the host itself went down. */
async function start(datacentre: Datacentre, { vm, status, resource }: HaService): Promise<boolean> {
  for (;;) {
    const ended = await task(datacentre, vm, 'qmstart', (worker) => startVm(datacentre, vm.host, vm.vmid, worker))
    if (ended === 'OK' || wasKilled(ended) || status.tries >= Number(resource.max_restart ?? 1)) return ended === 'OK'
    status.tries++
  }
}

/** The result of a worker that was cut off. */
function wasKilled(ended: string): boolean {
  return ended === 'unexpected status' || ended.startsWith('unable to read tail')
}

/** A stop request stops the VM at once; a VM that is no longer wanted is shut down, with a minute's grace. */
async function stop(datacentre: Datacentre, { vm, status }: HaService): Promise<boolean> {
  const seconds = status.command?.[0] === 'stop' ? Number(status.command[1]) : 60
  delete status.command
  if (seconds === 0) return (await task(datacentre, vm, 'qmstop', () => stopVm(datacentre, vm))) === 'OK'
  const ended = await task(datacentre, vm, 'qmshutdown', async (worker) => {
    const deadline = datacentre.clock.now() + seconds * 1000
    datacentre.machines.find(vm.vmid)?.acpiShutdown()
    while (vm.running && datacentre.clock.now() < deadline) await worker.sleep(500)
    if (!vm.running) return
    worker.log('VM still running - terminating now with SIGTERM')
    await stopVm(datacentre, vm)
  })
  return ended === 'OK'
}

/** Live migration; relocation stops it first. */
async function move(datacentre: Datacentre, service: HaService): Promise<boolean> {
  const { vm, status } = service
  const { target = vm.host } = status
  if (vm.host === target) return true
  if (status.state === 'relocate' && vm.running && !(await stop(datacentre, service))) return false
  try {
    const upid = migrateVm({
      datacentre,
      permissions: createPermissions(datacentre.state, datacentre.pve),
      identity: { user: root },
      parameters: { vmid: String(vm.vmid), target, online: '1', 'with-local-disks': '1', force: '1' },
      host: vm.host,
      entry: vm.host,
      extra: {},
    })
    await datacentre.tasks.ended(upid)
  } catch {
    return false
  }
  return vm.host === target
}

/** Runs a worker on the VM's host, and returns its result. */
async function task(
  datacentre: Datacentre,
  vm: VmState,
  type: string,
  body: (worker: Worker) => Promise<void>,
): Promise<string> {
  const upid = datacentre.tasks.start({ host: vm.host, type, id: String(vm.vmid), user: root }, body)
  await datacentre.tasks.ended(upid)
  return datacentre.tasks.find(upid)?.exitstatus ?? ''
}
