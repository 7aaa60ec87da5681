import { createReadStream } from 'node:fs'
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeDurably } from '../durable-file.js'
import { reasonOf } from '../errors.js'
import { makeFolder } from '../make-folder.js'
import { BackupError } from './snapshot-error.js'
import { removeOldSpool } from './spool.js'
import type { SnapshotStore } from './store.js'

/** Snapshots in a folder: written to a temporary file, synced, then renamed. Only the user may read them. */
export function createFolderStore(folder: string): SnapshotStore {
  const at = (name: string) => join(folder, name)
  return {
    location: folder,
    spoolFolder: () =>
      orExplain(folder, async () => {
        await makeFolder(folder, 0o700)
        return folder
      }),
    list: () => orExplain(folder, () => listFolder(folder)),
    putFile: (name, { path }) =>
      orExplain(at(name), async () => {
        await chmod(path, 0o600)
        await rename(path, at(name))
        await syncFolder(folder)
      }),
    putText: (name, text, { mustBeNew }) => orExplain(at(name), () => writeDurably(at(name), text, { mustBeNew })),
    read: (name) => readParts(at(name)),
    open: async (name) => ({ path: at(name), release: async () => {} }),
    remove: (name) =>
      orExplain(at(name), async () => {
        await rm(at(name), { force: true })
        await syncFolder(folder)
      }),
    removeUnfinished: (before) => orExplain(folder, () => removeOldSpool(folder, before)),
  }
}

/** A folder that does not exist yet is empty. */
async function listFolder(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  return Promise.all(
    files.map(async ({ name }) => {
      const { size, mtimeMs } = await stat(join(folder, name))
      return { name, size, modified: mtimeMs }
    }),
  )
}

function ignoreMissing(cause: unknown): [] {
  if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw cause
}

async function* readParts(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 })
  } catch (cause) {
    throw explain(path, cause)
  }
}

async function orExplain<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw explain(where, cause)
  }
}

const fixes: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space there, or choose another place with backup.etcd.store.',
  EEXIST: 'Look at the store with `ichor backup list`.',
  ENOENT: 'Look at the store with `ichor backup list`.',
}

function explain(where: string, cause: unknown): BackupError {
  const code = (cause as NodeJS.ErrnoException).code ?? ''
  return new BackupError(`The snapshot store cannot be used: ${reasonOf(cause)}.`, {
    where,
    fix: fixes[code] ?? 'Check the folder and its permissions, or choose another with backup.etcd.store.',
    cause,
  })
}
