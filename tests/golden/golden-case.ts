import type { ClusterSpec } from '../../src/desired/cluster-spec.js'
import type { DesiredRestore } from '../../src/desired/desired.js'
import { examine } from '../../src/inventory/examine.js'
import type { InventoryFiles } from '../../src/inventory/files.js'
import { type Inventory, needsNetwork, withNetwork } from '../../src/inventory/inventory.js'
import type { Observed } from '../../src/observe/observed.js'
import type { UpgradeLimit } from '../../src/plan/upgrade/limit-upgrade.js'

export type GoalName =
  | 'up'
  | 'destroy'
  | 'restore'
  | 'drill'
  | 'administer'
  | 'removeAdministration'
  | 'shutdown'
  | 'eject'

/** One question to the planner, as data: everything that a plan depends on. */
export interface GoldenCase extends Omit<ClusterSpec, 'inventory'> {
  /** The test that asked it first. */
  readonly from: string
  readonly goal: GoalName
  readonly restore?: DesiredRestore
  readonly target?: readonly string[]
  readonly limit?: UpgradeLimit
  readonly inventory: InventoryFiles
  readonly environment: string
  /** Settings that do not come from the files, by their path. */
  readonly settings: readonly (readonly [path: readonly string[], value: unknown])[]
  readonly observed: Observed
  /** What the plan was shown on, if `observed` is what was seen after the user had agreed to it. */
  readonly shownOn?: Observed
}

/** What the run would be asked to do. */
export async function specOf(golden: GoldenCase): Promise<ClusterSpec> {
  const { from: _, goal, restore, target, limit, inventory, environment, settings, observed, shownOn, ...spec } = golden
  return { ...spec, inventory: await inventoryOf(golden) }
}

async function inventoryOf({
  inventory: files,
  environment,
  settings,
  goal,
  observed,
}: GoldenCase): Promise<Inventory> {
  const { inventory, problems } = await examineOnce(files)
  if (inventory === undefined) throw new Error(problems.map(({ message }) => message).join('\n'))
  const changed = settings.reduce<unknown>((all, [path, value]) => withValue(all, path, value), inventory.settings)
  const opened = { ...inventory, environment, settings: changed as Inventory['settings'] }
  const asItIs: readonly GoalName[] = ['destroy', 'eject', 'removeAdministration', 'shutdown']
  return asItIs.includes(goal) ? opened : completed(opened, observed)
}

const examined = new Map<string, ReturnType<typeof examine>>()

/** Many cases have the same files. */
function examineOnce(files: InventoryFiles): ReturnType<typeof examine> {
  const key = JSON.stringify(files)
  const known = examined.get(key) ?? examine(files)
  examined.set(key, known)
  return known
}

function withValue(all: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const known = typeof all === 'object' && all !== null ? (all as Readonly<Record<string, unknown>>) : {}
  if (rest.length === 0 && value === undefined)
    return Object.fromEntries(Object.entries(known).filter(([name]) => name !== key))
  return { ...known, [key]: withValue(known[key], rest, value) }
}

/** Without `network.cidr` the bridge of a host has the prefix and the gateway. */
function completed(inventory: Inventory, { proxmox: { bridges } }: Observed): Inventory {
  if (!needsNetwork(inventory)) return inventory
  const { bridge } = inventory.settings.proxmox
  const found = bridges.find(({ name, cidr }) => name === bridge && cidr !== undefined)
  const prefix = Number(found?.cidr?.split('/')[1])
  return withNetwork(inventory, { prefix, ...(found?.gateway === undefined ? {} : { gateway: found.gateway }) })
}
