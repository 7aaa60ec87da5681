import { createHash } from 'node:crypto'
import type { Datacenter } from '../datacenter.js'
import type { VmState } from '../state.js'

/**
 * The original iterates over a hash, so the order of the options is random. Here it depends on the lab's seed, the VM
 * and its number of changes: parallel changes of other VMs do not alter it.
 */
export function optionOrderOf(datacenter: Datacenter, vm: VmState, names: readonly string[]): readonly string[] {
  vm.changes = (vm.changes ?? 0) + 1
  const keys = [...names].sort()
  const { changes, vmid } = vm
  const place = (key: string) =>
    createHash('sha1').update([datacenter.seed, vmid, changes, key].join(' ')).digest('hex')
  return datacenter.optionOrder?.(vmid, keys) ?? keys.sort((a, b) => (place(a) < place(b) ? -1 : 1))
}

/** After how many of `count` options a change that must fail half-way stops: at least one, and not all of them. */
export function haltAfter({ seed }: Datacenter, { vmid, changes = 0 }: VmState, count: number): number {
  if (count < 2) return count
  const drawn = createHash('sha1').update(`halt ${seed} ${vmid} ${changes}`).digest().readUInt32BE(0)
  return 1 + (drawn % (count - 1))
}
