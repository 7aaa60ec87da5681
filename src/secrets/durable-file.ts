import { randomBytes } from 'node:crypto'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.js'

export interface DurableWrite {
  /** Fails with EEXIST instead of replacing a file. */
  readonly mustBeNew?: boolean
  /** 0600 by default. */
  readonly mode?: number
}

/**
 * Writes a whole file or none: to a temporary file, synced, renamed, and the folder synced, so that neither a kill nor
 * a power failure leaves a partial file.
 */
export async function writeDurably(path: string, text: string | Uint8Array, options: DurableWrite = {}): Promise<void> {
  const folder = dirname(path)
  await makeFolder(folder)
  await removeLeftovers(path)
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeSynced(temporary, text, options.mode ?? 0o600)
    await (options.mustBeNew === true ? moveToNew(temporary, path) : rename(temporary, path))
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(folder)
}

/** Removes a file so that it stays removed after a power failure. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncFolder(dirname(path)).catch(() => undefined)
}

async function writeSynced(path: string, text: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(text)
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A hard link never replaces a file; without support for links, existence is checked first. */
async function moveToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(code)) throw error
    await (await open(to, 'wx', 0o600)).close()
    await rename(from, to)
  }
}

/** Makes renames in a folder survive a power failure. Windows cannot open a folder, and does not need this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes leftovers of killed runs, once no run can be writing them any more. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path)
  const names = await readdir(folder)
  for (const name of names.filter((entry) => entry.startsWith(`.${basename(path)}.`) && entry.endsWith('.tmp'))) {
    const leftover = join(folder, name)
    const { mtimeMs } = await stat(leftover).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > 600_000) await rm(leftover, { force: true })
  }
}
