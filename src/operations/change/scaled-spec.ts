import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { proposeChanges, writeEdits } from '../../inventory/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import { askLoad } from '../../observe/ask-load.js'
import { observe } from '../../observe/observe.js'
import type { World } from '../../world.js'
import { loadSpec, type SpecOptions } from '../spec/load-spec.js'
import { asOpened } from './as-opened.js'
import { parseScale } from './parse-scale.js'
import { isShrinking, scale } from './scale.js'
import { standings } from './standings.js'

/**
 * The spec with other sizes, and the function that writes them to the inventory. Machines are observed only if some
 * must be removed.
 */
export async function scaledSpec(
  words: readonly string[],
  inventory: Inventory,
  { world, signal, ...options }: SpecOptions & { readonly world: World; readonly signal: AbortSignal },
): Promise<{ spec: Omit<ClusterSpec, 'secrets'>; write(): Promise<void> }> {
  const asked = parseScale(words, inventory)
  const observed = isShrinking(asked) ? await observe(inventory, world, signal) : undefined
  const standingOf =
    observed === undefined
      ? () => unseenStanding
      : standings(observed, await askLoad(observed, world, signal), inventory.machines)
  const { changes, leaving } = scale(inventory, asked, standingOf)
  const proposed = await proposeChanges(inventory, changes, options)
  const spec = await loadSpec(asOpened(proposed.inventory, inventory), { ...options, world, intent: { leaving } })
  return { spec, write: () => writeEdits(proposed.edits) }
}

/** No machine is removed, so none are compared. */
const unseenStanding = {
  exists: true,
  isAway: false,
  isProtected: false,
  isReady: true,
  isCordoned: false,
  volumes: 0,
  isCrowded: false,
  neighbours: 0,
  pods: 0,
  isLeader: false,
}
