import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const open = new Set<string>()
let isWatching = false

export interface TemporaryFolder {
  readonly path: string
  remove(): Promise<void>
}

/** A private temporary folder. It is removed when the process ends, even if it was not released. */
export async function makeTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  if (!isWatching) process.on('exit', removeAll)
  isWatching = true
  const path = await mkdtemp(join(tmpdir(), prefix))
  open.add(path)
  return {
    path,
    remove: async () => {
      open.delete(path)
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** Like `makeTemporaryFolder`, only while `work` runs. */
export async function inTemporaryFolder<T>(prefix: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder(prefix)
  try {
    return await work(folder.path)
  } finally {
    await folder.remove()
  }
}

function removeAll(): void {
  for (const path of open) rmSync(path, { recursive: true, force: true })
}
