import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { PlanRefused } from '../../errors.js'
import type { Finding } from '../../findings/finding.js'
import { contentNotAllowed, crowdedGuest, noPlace, noStorage } from '../../findings/refusals/placement.js'
import type { Observed } from '../../observe/observed.js'
import type { Plan } from '../../plan/plan.js'
import { fetchImage } from '../../steps/fetch-image.js'
import { registerSchematic } from '../../steps/register-schematic.js'
import type { World } from '../../world.js'
import type { Goal } from '../goals.js'
import { missingBridges } from './missing-bridges.js'
import { missingHosts } from './missing-hosts.js'
import { missingInFactory } from './missing-in-factory.js'
import { missingMappings } from './missing-mappings.js'
import { missingStorages } from './missing-storages.js'
import { type MissingName, UnfitSite } from './unfit-site.js'

type Wanted = Pick<ClusterSpec, 'inventory' | 'mayEnableContent'>

/** Refuses names that what was observed does not have. */
export function refuseMissingNames(
  wanted: Wanted,
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
  readonly world: Pick<World, 'proxmox' | 'factory'>
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
  const [bridges, { missing, notes }] = await Promise.all([
    missingBridges(inventory, observed, world, signal),
    usesFactory ? missingInFactory(inventory, world, signal) : { missing: [], notes: [] },
  ])
  const all = [...missingNames(wanted, observed), ...bridges, ...missing]
  if (all.length > 0) throw new UnfitSite(all, inventory, isRefused ? othersIn(planned) : [])
  return notes
}

function missingNames({ inventory, mayEnableContent }: Wanted, observed: Pick<Observed, 'proxmox'>): MissingName[] {
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
