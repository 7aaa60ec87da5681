import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Context } from './frame/context.js'

/** The named paths, or `inventory/` or `cluster.yaml` here. */
export async function inventoryPaths(named: readonly string[], { cwd }: Pick<Context, 'cwd'>): Promise<string[]> {
  if (named.length > 0) return named.map((path) => join(path.startsWith('/') ? '' : cwd, path))
  for (const usual of ['inventory', 'cluster.yaml']) {
    if (await exists(join(cwd, usual))) return [join(cwd, usual)]
  }
  throw new UsageError('There is no inventory here.', {
    where: cwd,
    fix: 'Run ichor init to write one (ichor init --template without a Proxmox at hand), or name one with -i.',
  })
}

/** All inventories of the command, loaded and valid, without what killed writes left; warnings go to stderr. */
export async function loadNamed(named: readonly string[], context: Context): Promise<Inventory[]> {
  const { loadInventories } = await import('../inventory/index.js')
  const inventories = await loadInventories(await inventoryPaths(named, context), { env: context.env })
  for (const { file, line, column, message } of inventories.flatMap(({ warnings }) => warnings)) {
    context.stderr.write(`warning  ${file}:${line}:${column}  ${message}\n`)
  }
  const { removeLeftoversBeside } = await import('../durable-file.js')
  await Promise.all([...new Set(inventories.map(({ folder }) => folder))].map(removeLeftoversBeside))
  return inventories
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
