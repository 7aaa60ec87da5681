import { waitUntil } from '../work/wait-until.js'
import type { WorkContext } from '../work/work-context.js'
import { findOwned, type OwnedVm } from './owned-vm.js'

type Power = 'running' | 'stopped'

/** Whether the machine has that power state, on whichever host it is now. */
export async function hasStatus(machine: string, wanted: Power, context: WorkContext): Promise<boolean> {
  const owned = await findOwned(machine, context)
  if (owned === undefined) return false
  const status = await context.proxmox.machines.findStatus(owned, context.signal)
  return status?.status === wanted
}

/**
 * Switches a VM on or off and waits until it is. For an HA resource this is only a request, which the HA manager
 * handles later.
 */
export async function switchPower(owned: OwnedVm, to: Power, context: WorkContext): Promise<void> {
  const { machines, tasks } = context.proxmox
  const { signal } = context
  const task = await (to === 'running' ? machines.start(owned, signal) : machines.stop(owned, signal))
  await tasks.wait(task, signal)
  if (!/:ha(start|stop):/.test(task.upid)) return
  const machine = owned.mark.node
  await waitUntil(
    {
      forWhat: `Proxmox HA to ${to === 'running' ? 'start' : 'stop'} ${machine}`,
      where: `Proxmox HA, resource vm:${owned.vmid}`,
      timeoutMs: 180_000,
      intervalMs: 1000,
      fix: 'Look at Datacenter > HA: the manager must be active, and the resource not in error. Then run the command again.',
    },
    async () => ((await hasStatus(machine, to, context)) ? true : undefined),
    context,
  )
}
