import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { type PlanRefused, UsageError } from '../../errors.js'
import { goneHost } from '../../findings/refusals/machines.js'
import { proposeChanges, writeEdits } from '../../inventory/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import { findNearest } from '../../nearest.js'
import { observe } from '../../observe/observe.js'
import type { World } from '../../world.js'
import { loadSpec, type SpecOptions } from '../spec/load-spec.js'
import { asOpened } from './as-opened.js'
import { renumber } from './surge.js'

interface Asked extends SpecOptions {
  readonly world: World
  readonly signal: AbortSignal
  /** The ID of the run, which is stored in the marks of the machines. */
  readonly run: string
}

/**
 * The spec in which these machines get new VMs. The first step records the intent in their marks. For a pool with
 * `surge` it is recorded in the inventory: a new number of the pool is created first, and then the machine leaves.
 */
export async function replacedSpec(
  names: readonly string[],
  inventory: Inventory,
  { world, signal, run, ...options }: Asked,
): Promise<{ spec: Omit<ClusterSpec, 'secrets'>; write(): Promise<void> }> {
  for (const name of names) refuseUnknown(name, inventory)
  const { unverified, machines } = await observe(inventory, world, signal)
  const away = unverified.find(({ because, holds }) => because === 'away' && names.includes(holds ?? ''))
  if (away !== undefined) throw onLostHost(away.holds ?? '', away.host)
  const surge = renumber(names, inventory, new Set(machines.map(({ name }) => name)))
  const replacing = Object.fromEntries(names.filter((name) => !surge.names.includes(name)).map((name) => [name, run]))
  if (surge.changes.length === 0)
    return { spec: await loadSpec(inventory, { ...options, world, intent: { replacing } }), write: async () => {} }
  const proposed = await proposeChanges(inventory, surge.changes, options)
  const leaving = Object.fromEntries(surge.names.map((name) => [name, 'replaced by another machine of its pool']))
  const wanted = asOpened(proposed.inventory, inventory)
  return {
    spec: await loadSpec(wanted, { ...options, world, intent: { replacing, leaving } }),
    write: () => writeEdits(proposed.edits),
  }
}

function refuseUnknown(name: string, { machines, file }: Inventory): void {
  const names = machines.map((machine) => machine.name)
  if (names.includes(name)) return
  const near = findNearest(name, names)
  throw new UsageError(`There is no machine ${name} in the inventory.`, {
    where: file,
    fix: near === undefined ? `Name one of ${names.join(', ')}.` : `Did you mean ${near}?`,
  })
}

function onLostHost(machine: string, host: string): PlanRefused {
  return goneHost.refuse(`${machine} is on ${host}, which does not answer: its VM cannot be deleted.`, {
    subject: { kind: 'machine', name: machine },
    where: `Proxmox host ${host}`,
    fix: `Bring ${host} back. If it is permanently lost: ichor replace --host ${host} --gone.`,
  })
}
