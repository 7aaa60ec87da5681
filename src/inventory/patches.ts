import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { FileError, reasonOf } from '../errors.js'
import type { Inventory } from './inventory.js'
import { isPatchFile, resolveFile } from './referenced-files.js'
import type { Settings } from './schema.js'

/** A Talos config patch with its source. */
export interface PatchText {
  readonly source: string
  readonly line: number
  readonly text: string
}

/** Patches of the inventory, read from their files, by level. */
export interface PatchTexts {
  readonly cluster: readonly PatchText[]
  readonly controlPlane: readonly PatchText[]
  readonly worker: readonly PatchText[]
  readonly pools: Readonly<Record<string, readonly PatchText[]>>
  readonly nodes: Readonly<Record<string, readonly PatchText[]>>
}

type Patches = Settings['talos']['patches']['cluster']

/** Reads every patch of the inventory, in the order in which they apply. */
export async function loadPatches(inventory: Inventory): Promise<PatchTexts> {
  const { talos, worker_pools, controlplane, workers } = inventory.settings
  const read = (patches: Patches, path: string) =>
    Promise.all(patches.map((patch, index) => readPatch(patch, `${path}[${index}]`, inventory)))
  const named = async (list: readonly { name: string; patches?: Patches }[], path: string) =>
    Object.fromEntries(
      await Promise.all(
        list.map(
          async ({ name, patches }, index) => [name, await read(patches ?? [], `${path}[${index}].patches`)] as const,
        ),
      ),
    )
  return {
    cluster: await read(talos.patches.cluster, 'talos.patches.cluster'),
    controlPlane: await read(talos.patches.control_plane, 'talos.patches.control_plane'),
    worker: await read(talos.patches.worker, 'talos.patches.worker'),
    pools: await named(worker_pools, 'worker_pools'),
    nodes: { ...(await named(controlplane, 'controlplane')), ...(await named(workers, 'workers')) },
  }
}

async function readPatch(patch: Patches[number], path: string, { folder, where }: Inventory): Promise<PatchText> {
  if (!isPatchFile(patch)) {
    return { source: where(path), line: 1, text: typeof patch === 'string' ? patch : stringify(patch) }
  }
  const file = resolveFile(folder, patch.trim())
  try {
    return { source: patch.trim(), line: 1, text: await readFile(file, 'utf8') }
  } catch (thrown) {
    throw new FileError(`The patch ${patch.trim()} cannot be read: ${reasonOf(thrown)}.`, {
      where: where(path),
      fix: 'Check the path and its permissions.',
    })
  }
}
