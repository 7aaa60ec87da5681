import { join } from 'node:path'
import { UsageError } from '../errors.js'
import { infrastructureOf } from './checks/addresses.js'
import { type Change, type Edit, editsBetween, withChanges } from './edit.js'
import { withEnvironment } from './environment.js'
import { type Examined, examine } from './examine.js'
import { findEnvironments, readEnvironment, UnusableFile } from './files.js'
import type { Inventory } from './inventory.js'
import { InventoryError, type Problem } from './problem.js'

export interface LoadOptions {
  /** The process environment: endpoint and token may come from there. */
  readonly env: NodeJS.ProcessEnv
}

/** The one inventory at a path: a cluster.yaml, or its folder. */
export async function loadInventory(path: string, options: LoadOptions): Promise<Inventory> {
  const inventories = await loadInventories([path], options)
  const [first] = inventories
  if (first !== undefined && inventories.length === 1) return first
  const names = inventories.map(({ environment }) => environment).join(', ')
  const fix = `Name one of them, such as -i ${join(path, first?.environment ?? '')}.`
  throw new InventoryError([new UnusableFile(path, `${path} holds several environments: ${names}.`, fix).problem])
}

/**
 * Every inventory at these paths; a folder of environments gives several. Reports the problems of all of them at once.
 */
export async function loadInventories(paths: readonly string[], { env }: LoadOptions): Promise<Inventory[]> {
  const examined = await examineAll(paths)
  const problems = examined.flatMap((one) => one.problems)
  if (problems.some(({ severity }) => severity === 'error')) throw new InventoryError(problems)
  return examined.flatMap(({ inventory }) => (inventory === undefined ? [] : [completed(inventory, env)]))
}

/** An inventory with these changes, and the edits for them: nothing is written yet. */
export async function proposeChanges(
  { file }: Pick<Inventory, 'file'>,
  changes: readonly Change[],
  { env }: LoadOptions,
): Promise<{ inventory: Inventory; edits: readonly Edit[] }> {
  const before = await readEnvironment(file)
  const after = withChanges(before, changes)
  const { inventory, problems } = await examine(after)
  if (inventory === undefined) throw new InventoryError(problems)
  return { inventory: completed(inventory, env), edits: editsBetween(before, after) }
}

/** The endpoint of the environment is checked like that of the file: no machine may have its address. */
function completed(inventory: Inventory, env: NodeJS.ProcessEnv): Inventory {
  const complete = withEnvironment(inventory, env)
  const endpoints = infrastructureOf(complete.settings).filter(({ path }) => path[0] === 'proxmox')
  for (const { address, owner } of endpoints) {
    const machine = complete.machines.find((one) => one.address === address)
    if (machine === undefined) continue
    throw new UsageError(`${address} would be the address of ${machine.name}, and it is the address of ${owner}.`, {
      where: inventory.where('network'),
      fix: 'Give the machine another ip, or change the offsets of network.',
    })
  }
  return complete
}

/** All errors and warnings at a path, for `validate`. */
export async function checkInventory(path: string): Promise<Problem[]> {
  return (await examineAll([path])).flatMap(({ problems }) => problems)
}

async function examineAll(paths: readonly string[]): Promise<Examined[]> {
  const examined = await Promise.all(paths.map((path) => unlessUnusable(() => examineAt(path))))
  return examined.flat()
}

async function examineAt(path: string): Promise<Examined[]> {
  const environments = await findEnvironments(path)
  const examined = environments.map((file) => unlessUnusable(async () => [await examine(await readEnvironment(file))]))
  return (await Promise.all(examined)).flat()
}

async function unlessUnusable(work: () => Promise<Examined[]>): Promise<Examined[]> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnusableFile) return [{ problems: [error.problem] }]
    throw error
  }
}
