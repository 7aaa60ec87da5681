import type { Desired } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { homeOf } from '../ownership/home.js'
import type { Model } from '../work/model.js'
import { findWanted } from '../work/wanted-machine.js'

type Homes = Readonly<Record<string, string>>

/**
 * The hosts that machines return to, by name. The lease must record them before these VMs are deleted: a mark is
 * deleted with its VM, and a run may end before the new VM exists.
 */
export function homesWithout(
  deleted: readonly string[],
  desired: Pick<Desired, 'cluster' | 'machines' | 'away'>,
  { machines, proxmox }: Observed,
): Homes {
  const seen = new Map(machines.map((machine) => [machine.name, machine]))
  const wanted = [...desired.machines, ...desired.away].map(({ machine }) => machine.name)
  const homes = wanted.flatMap((name) => {
    const machine = seen.get(name)
    if (machine !== undefined && !deleted.includes(name)) return []
    const home = machine === undefined ? proxmox.homes?.[name] : findHome(machine, desired)
    return home === undefined ? [] : [[name, home] as const]
  })
  return Object.fromEntries(homes)
}

/** The contents of the lease once this VM is deleted. */
export function rememberHome(model: Model, name: string, desired: Desired): void {
  const machine = model.machines.get(name)
  const home = machine === undefined || findWanted(desired, name) === undefined ? undefined : findHome(machine, desired)
  if (home === undefined) return
  model.change(({ proxmox }) => ({ proxmox: { ...proxmox, homes: { ...proxmox.homes, [name]: home } } }))
}

/** The host that it left earlier, or leaves now because of an evacuation. */
function findHome({ host, mark }: ObservedMachine, { cluster }: Pick<Desired, 'cluster'>): string | undefined {
  return homeOf(mark) ?? (cluster.evacuated?.includes(host) ? host : undefined)
}
