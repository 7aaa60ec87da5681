import { isInPool } from '../cluster/pool.js'
import { anotherPool } from '../findings/refusals/machines.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { adoptMachine } from '../steps/adopt-machine.js'
import type { Draft } from './draft.js'

/** Machines that something else made are taken over before anything else is planned. Returns whether there are any. */
export function planAdoption(draft: Draft, { machines }: Observed): boolean {
  const found = machines.filter(({ isToAdopt }) => isToAdopt === true)
  refuseOtherPools(draft, found)
  for (const { name, vmid, host } of found)
    draft.add(adoptMachine, { machine: name }, `VM ${vmid} on ${host}; its node has shown its UUID`)
  return found.length > 0
}

/** Another pool gives its users rights on the VM, and may be what a backup job selects: only its owner takes it out. */
function refuseOtherPools({ desired: { cluster } }: Draft, found: readonly ObservedMachine[]): void {
  const elsewhere = found.filter(({ pool }) => pool !== undefined && !isInPool(pool, cluster.pool))
  if (elsewhere.length === 0) return
  const sentences = elsewhere.map(({ name, vmid, pool }) => `VM ${vmid} of ${name} is in the pool ${pool}.`)
  const vmids = elsewhere.map(({ vmid }) => vmid).join(',')
  throw anotherPool.refuse(
    `${sentences.join('\n')}\nA VM is in one pool only, and ichor takes none out of the pool of others.`,
    {
      subject: { kind: 'machine', name: elsewhere.map(({ name }) => name).join(', ') },
      where: elsewhere.map(({ host, vmid }) => `Proxmox host ${host}, VM ${vmid}`).join('; '),
      fix: `If its rights and backup jobs may change, move it on a Proxmox host: pvesh set /pools --poolid ${cluster.pool} --vms ${vmids} --allow-move 1 (create the pool first, if there is none: pvesh create /pools --poolid ${cluster.pool}).`,
    },
  )
}
