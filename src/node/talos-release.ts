import { isTalosHeld } from '../cluster/held.js'
import { hasArrived } from '../cluster/upgrade-path.js'
import type { DesiredCluster, DesiredMachine } from '../desired/desired.js'
import type { ObservedMachine } from '../observe/observed.js'
import type { WorkContext } from '../work/work-context.js'
import { getAddress } from './node-address.js'

/** A Talos version and, if known, the extensions and kernel arguments that it was built with. */
export interface TalosRelease {
  readonly version: string
  readonly schematic?: string | undefined
}

/**
 * The release that an upgrade in this round installs; `undefined` if the machine has it, or if something else comes
 * first.
 */
export function upgradeOf(
  { installer, machine }: DesiredMachine,
  { talos }: Pick<ObservedMachine, 'talos'>,
  { hop, target }: DesiredCluster,
): TalosRelease | undefined {
  if (talos.reach !== 'secured' || hop?.kind === 'kubernetes' || isTalosHeld(machine)) return undefined
  const { version, id: schematic, isCompared } = installer
  const release = { version, ...(isCompared ? { schematic } : {}) }
  if (hop?.isBack) return talos.version === version ? undefined : { version }
  if (hop !== undefined && !hasArrived(talos.version, hop, target.talos)) return release
  const runs = talos.schematic?.seen ? talos.schematic.value : undefined
  // Machines on the way to another version get them with the last hop.
  const isOther = version === target.talos && isCompared && runs !== undefined && runs !== schematic
  return isOther ? release : undefined
}

/** The release that a machine runs now. */
export async function askRelease(machine: string, context: WorkContext): Promise<TalosRelease> {
  const address = await getAddress(machine, context)
  const node = context.talos.node({ machine, address })
  const [{ tag }, { schematic }] = await Promise.all([
    node.version(context.signal),
    node.resources.image(context.signal),
  ])
  return { version: tag, schematic }
}

export function isRelease(runs: TalosRelease, wanted: TalosRelease): boolean {
  const isSchematic =
    wanted.schematic === undefined || runs.schematic === undefined || runs.schematic === wanted.schematic
  return runs.version === wanted.version && isSchematic
}

export function releaseInWords({ version, schematic }: TalosRelease): string {
  return schematic === undefined ? `Talos ${version}` : `Talos ${version}, schematic ${schematic.slice(0, 12)}`
}
