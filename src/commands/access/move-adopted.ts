import { isInPool } from '../../cluster/pool.js'
import { UsageError } from '../../errors.js'
import { anotherPool } from '../../findings/refusals/machines.js'
import { type AdoptedVm, adoptedVms } from '../../operations/adopt/adopted-vms.js'
import { lookAtPools } from '../../operations/adopt/look-at-pools.js'
import type { Session } from '../../operations/session.js'
import { printable } from '../../report/printable.js'
import { askYes } from '../ask.js'
import type { Context } from '../frame/context.js'

/** VMs of an adopted cluster that an administrator puts into its pool. */
export interface PoolMoves {
  /** One question for each VM. */
  ask(): Promise<void>
  /** Those that were agreed to. Yields what was done. */
  carryOut(): AsyncIterable<string>
}

interface MoveOptions {
  readonly yes: boolean
  /** VMIDs that may be moved although they are in the pool of others, or their node has not shown that it is the machine. */
  readonly named: readonly number[]
}

/** Shows what the pool changes for each VM. Changes nothing. */
export async function planPoolMoves(
  session: Session,
  { yes, named }: MoveOptions,
  context: Context,
): Promise<PoolMoves> {
  const { world, inventory } = session
  const { pool } = inventory.settings.proxmox
  const { signal, stderr } = context
  if (!inventory.machines.some(({ adopted }) => adopted !== undefined)) {
    throw new UsageError('No machine of this inventory was adopted.', {
      where: inventory.file,
      fix: 'Run ichor adopt first: it writes which VMs belong to the cluster.',
    })
  }
  const outside = (await adoptedVms(session, signal)).filter((vm) => !isInPool(vm.pool, pool))
  refuseOtherPools(outside, named, pool)
  const moving: AdoptedVm[] = []
  const say = (text: string) => stderr.write(`${printable(text)}\n`)
  for (const vm of outside) {
    const doubt = named.includes(vm.vmid) ? undefined : await vm.doubt(signal)
    if (doubt === undefined) moving.push(vm)
    else say(`${titleOf(vm)} stays where it is: ${doubt}. To move it all the same: --move ${vm.vmid}`)
  }
  if (moving.length > 0) say(`Into the pool ${pool}:`)
  for (const line of await lookAtPools(moving.map(pooled), pool, world.proxmox, signal)) say(`  ${line}`)
  const agreed: AdoptedVm[] = []
  return {
    ask: async () => {
      for (const vm of moving) {
        const from = vm.pool === undefined ? '' : `, out of ${vm.pool},`
        if (yes || (await askYes(`Move ${titleOf(vm)}${from} into ${pool}?`, context))) agreed.push(vm)
      }
    },
    carryOut: async function* () {
      for (const vm of agreed) {
        const { vmid, pool: from } = vm
        if (from === undefined) await world.proxmox.pools.addVm(pool, vmid, signal)
        else await world.proxmox.pools.moveVm(pool, vmid, signal)
        yield `moved ${titleOf(vm)} into ${pool}${from === undefined ? '' : `; back: ${commandBack(vmid, from)}`}`
      }
    },
  }
}

export function titleOf({ vmid, name }: Pick<AdoptedVm, 'vmid' | 'name'>): string {
  return `VM ${vmid} (${name})`
}

function pooled({ name, vmid, pool }: AdoptedVm) {
  return { name, vm: { vmid, ...(pool === undefined ? {} : { pool }) } }
}

function commandBack(vmid: number, from: string): string {
  return `pvesh set /pools --poolid ${from} --vms ${vmid} --allow-move 1`
}

/** Another pool gives its users rights on the VM, and may be what a backup job selects. */
function refuseOtherPools(vms: readonly AdoptedVm[], named: readonly number[], pool: string): void {
  const elsewhere = vms.filter((vm) => vm.pool !== undefined && !named.includes(vm.vmid))
  if (elsewhere.length === 0) return
  throw anotherPool.refuse(
    `${elsewhere.map((vm) => `VM ${vm.vmid} of ${vm.name} is in the pool ${vm.pool}.`).join('\n')}\nA VM is in one pool only, and none is taken out of the pool of others unless it is named.`,
    {
      subject: { kind: 'machine', name: elsewhere.map(({ name }) => name).join(', ') },
      where: `pool ${pool}`,
      fix: `If their rights and backup jobs may change, run ichor access --adopt ${elsewhere.map(({ vmid }) => `--move ${vmid}`).join(' ')}.`,
    },
  )
}
