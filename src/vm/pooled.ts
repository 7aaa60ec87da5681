import { lookupBy } from '../cluster/lookup.js'
import type { VmRef } from '../cluster/machine.js'
import { isInPool } from '../cluster/pool.js'
import { anotherPool } from '../findings/refusals/machines.js'
import type { GuestResource } from '../proxmox/client/port.js'
import type { WorkContext } from '../work/work-context.js'

const guestByVmid = lookupBy(({ vmid }: GuestResource) => vmid)

/** A mark can be copied to a VM that got the VMID of a former machine, but no one else can add a VM to our pool. */
export async function assertPooled(vm: VmRef, { proxmox, desired, signal }: WorkContext): Promise<void> {
  const { pool } = desired.cluster
  const { guests } = await proxmox.cluster.resources(signal)
  const listed = guestByVmid(guests, vm.vmid)
  if (isInPool(listed?.pool, pool)) return
  throw anotherPool.refuse(`VM ${vm.vmid} on ${vm.host} is no longer in the pool ${pool}: it is not changed.`, {
    subject: { kind: 'object', name: `VM ${vm.vmid}` },
    where: `Proxmox host ${vm.host}, VM ${vm.vmid}`,
    fix: `If it is a machine of this cluster, put it back into the pool ${pool} (Datacenter, Permissions, Pools), then run the same command again.`,
  })
}
