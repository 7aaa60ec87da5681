import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadInventory } from '../../src/inventory/index.js'
import { topologyFor } from '../../src/lab/topology-for.js'
import { aStage, type Stage } from './lab.js'

/** An example of the repository on a stage of its own, in a datacenter that fits it. */
export async function anExample(
  name: string,
  change: (folder: string) => Promise<void> = async () => {},
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), `ichor-${name}-`))
  await cp(join('examples', name), folder, { recursive: true })
  await change(folder)
  const topology = topologyFor(await loadInventory(folder, { env: {} }))
  return aStage({ folder, topology, files: {} })
}
