import { lookupBy } from '../cluster/lookup.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { machinesAway } from './away.js'
import type { ClusterSpec } from './cluster-spec.js'
import type { Desired, DesiredMachine } from './desired.js'
import { resolveDesired } from './resolve-desired.js'

const seenByName = lookupBy(({ name }: ObservedMachine) => name)

/**
 * The desired state of `ichor access`: the cluster as it is, with only what needs Sys.Modify on `/` as in the inventory.
 * Machines that do not exist yet, and what they would need, do not matter.
 */
export function desiredAdministration(spec: ClusterSpec, observed: Observed): Desired {
  const { inventory } = spec
  const away = new Set(machinesAway(inventory.machines, observed).map(({ machine }) => machine.name))
  const exists = (name: string) => away.has(name) || seenByName(observed.machines, name) !== undefined
  const machines = inventory.machines.filter(({ name }) => exists(name))
  const guests = inventory.guests.map((guest) => ({ ...guest, create: false }))
  const resolved = resolveDesired(
    { ...spec, inventory: { ...inventory, machines, guests }, mayEnableContent: true },
    observed,
  )
  return {
    ...resolved,
    cluster: { ...resolved.cluster, tags: [] },
    machines: resolved.machines.map(onlyStartup),
    guestsToMake: [],
    contentToEnable: [],
  }
}

function onlyStartup({ options: { startup }, ...wanted }: DesiredMachine): DesiredMachine {
  return { ...wanted, options: startup === undefined ? {} : { startup }, disks: [] }
}
