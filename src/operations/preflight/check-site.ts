import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { PlanRefused } from '../../errors.js'
import type { Finding } from '../../findings/finding.js'
import { collectRefusals } from '../../findings/refusals/collect-refusals.js'
import { missingMedium } from '../../findings/refusals/inventory.js'
import { contentNotAllowed, crowdedGuest, noPlace, noStorage } from '../../findings/refusals/placement.js'
import type { Observed } from '../../observe/observed.js'
import type { Plan } from '../../plan/plan.js'
import { fetchImage } from '../../steps/fetch-image.js'
import { registerSchematic } from '../../steps/register-schematic.js'
import type { World } from '../../world.js'
import type { Goal } from '../goals.js'
import { withoutQuorum } from '../without-quorum.js'
import { missingBridges } from './missing-bridges.js'
import { missingHosts } from './missing-hosts.js'
import { missingInFactory } from './missing-in-factory.js'
import { missingMappings } from './missing-mappings.js'
import { missingMedia } from './missing-media.js'
import { missingStorages } from './missing-storages.js'
import { type MissingName, UnfitSite } from './unfit-site.js'
import { unreachable } from './unreachable.js'

type Named = Pick<ClusterSpec, 'inventory' | 'mayEnableContent'>
type Wanted = Named & Pick<ClusterSpec, 'addons' | 'isLab'>

/** Refuses names that what was observed does not have. */
export function refuseMissingNames(
  wanted: Named,
  observed: Pick<Observed, 'proxmox'>,
  { isAdministering }: Pick<Goal, 'isAdministering'>,
): void {
  // An administrator may be about to allow the content.
  const missing = isAdministering === true ? missingHosts(wanted.inventory, observed) : missingNames(wanted, observed)
  if (missing.length > 0) throw new UnfitSite(missing, wanted.inventory)
}

interface SiteQuestion {
  readonly wanted: Wanted
  readonly observed: Observed
  /** The plan, or why there is none. */
  readonly planned: Plan | PlanRefused
  readonly world: Pick<World, 'proxmox' | 'factory' | 'backups'>
  readonly signal: AbortSignal
}

/**
 * Looks at everything that the inventory names before anything is changed, and refuses all that is missing at once.
 * Asks no more than the plan needs. Returns what could not be asked.
 */
export async function checkSite(question: SiteQuestion): Promise<readonly Finding[]> {
  const { wanted, observed, planned, world, signal } = question
  const { inventory } = wanted
  const isRefused = planned instanceof PlanRefused
  if (!isRefused && !planned.steps.some(({ changes }) => changes)) return []
  const usesFactory =
    isRefused || planned.steps.some(({ kind }) => kind === registerSchematic.kind || kind === fetchImage.kind)
  const [bridges, { missing, notes }, addresses] = await Promise.all([
    missingBridges(inventory, observed, world, signal),
    usesFactory ? missingInFactory(inventory, world, signal) : { missing: [], notes: [] },
    isRefused ? { refused: [], notes: [] } : unreachable({ wanted, plan: planned, world, signal }),
  ])
  const media =
    isRefused && !planned.findings.some(({ code }) => code === missingMedium.code)
      ? missingMedia(inventory, observed)
      : []
  const all = [...missingNames(wanted, observed), ...media, ...bridges, ...missing]
  const others = [withoutQuorum(observed) ?? [], addresses.refused].flat()
  if (all.length > 0)
    throw new UnfitSite(all, inventory, [
      ...(isRefused ? othersIn(planned) : []),
      ...others.flatMap(({ findings }) => findings),
    ])
  const refusals = collectRefusals()
  for (const refused of isRefused ? [...others, planned] : others)
    refusals.attempt(() => {
      throw refused
    }, undefined)
  return refusals.finish(() => [...notes, ...addresses.notes])
}

function missingNames({ inventory, mayEnableContent }: Named, observed: Pick<Observed, 'proxmox'>): MissingName[] {
  return [
    ...missingHosts(inventory, observed),
    ...missingStorages(inventory, observed, { mayEnableContent }),
    ...missingMappings(inventory, observed),
  ]
}

/** Where a name is missing, nothing can be placed. */
const consequences = new Set([noPlace, noStorage, contentNotAllowed, crowdedGuest].map(({ code }) => code))

function othersIn(refused: PlanRefused) {
  const named = refused instanceof UnfitSite ? refused.problems.map(({ message }) => message) : []
  return refused.findings.filter(({ code, title }) => !consequences.has(code) && !named.includes(title))
}
