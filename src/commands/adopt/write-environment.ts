import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeDurably } from '../../durable-file.js'
import { UsageError } from '../../errors.js'
import { makeFolder } from '../../make-folder.js'
import type { Adoption } from '../../operations/adopt/adopt.js'
import { emptyMemory } from '../../secrets/bundle-file.js'
import type { SecretsStore } from '../../secrets/store.js'
import { cannotWrite } from '../cannot-write.js'
import { keepOutOfGit } from '../keep-out-of-git.js'
import { schemaFile, writeSchema } from '../write-schema.js'

/** An environment is written once: afterwards it belongs to its owner. */
export async function refuseExisting(folder: string): Promise<void> {
  const path = join(folder, 'cluster.yaml')
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  throw new UsageError('There is an inventory already, and it was not changed.', {
    where: path,
    fix: 'Choose another folder with --out.',
  })
}

/** The files of the environment; returns their names. The secrets come first: without them, the rest is useless. */
export async function writeEnvironment(
  folder: string,
  { inventory, patches, bundle, contract }: Adoption,
  store: SecretsStore,
): Promise<string[]> {
  await makeFolder(folder)
  await keepOutOfGit(folder)
  const memory = { ...emptyMemory, bootstrapped: true, sealed: true, contract }
  await store.create({ bundle, memory })
  const written = await writePatches(folder, patches)
  await writeSchema(folder)
  written.push(await writeNew(folder, 'cluster.yaml', inventory, 0o644))
  return [...written, schemaFile].sort()
}

export async function writePatches(folder: string, patches: Adoption['patches']): Promise<string[]> {
  const written: string[] = []
  for (const { path, text, isSecret } of patches)
    written.push(await writeNew(folder, path, text, isSecret ? 0o600 : 0o644))
  return written
}

async function writeNew(folder: string, name: string, text: string, mode: number): Promise<string> {
  const path = join(folder, name)
  await makeFolder(dirname(path))
  await writeDurably(path, text, { mode, mustBeNew: true }).catch(cannotWrite(path))
  return name
}
