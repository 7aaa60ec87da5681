import { type Check, healthyUnless } from '../health/check.js'
import { addonProblems } from './check-addon.js'
import type { PlannedAddon } from './planned-addon.js'

/** One named check per addon, for `health`: the same checks that installation waits for. */
export function addonHealthChecks(
  addons: readonly Pick<PlannedAddon, 'title' | 'checks'>[],
  endpoints: readonly { readonly host: string; readonly port: number }[],
): Check[] {
  return addons.map(({ title, checks }) => ({
    name: `the addon ${title} to be healthy`,
    run: async ({ world, signal }) => {
      if (checks.length === 0) return { skipped: 'no health check is defined for it' }
      return healthyUnless(await addonProblems(world.kubernetes.at(endpoints), checks, signal))
    },
  }))
}
