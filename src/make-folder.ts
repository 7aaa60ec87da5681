import { lstatSync, mkdirSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Creates a folder and its parents. Node's recursive `mkdir` never ends on a file system such as /proc, which reports
 * ENOENT although the parent exists.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, mode)
  } catch (error) {
    if (await isFolder(path)) return
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // Another call may have created the parent in the meantime.
    if (!(await isFolder(dirname(path)))) await makeFolder(dirname(path), mode)
    await mkdir(path, mode).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again
    })
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/**
 * Creates `.ichor` next to an inventory, and a folder in it if one is named. Throws if there is a link, because one that
 * comes from a repository must not choose what is written to.
 */
export function makeOwnFolder(inventory: string, name = ''): string {
  const own = join(inventory, '.ichor')
  for (const folder of new Set([own, join(own, name)])) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (lstatSync(folder).isSymbolicLink()) throw new Error(`${folder} is a link`)
  }
  return join(own, name)
}
