import { randomBytes } from 'node:crypto'
import { link, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FileError } from './errors.js'
import { isLeftBehind, writerTag } from './left-behind.js'
import { makeFolder } from './make-folder.js'

export interface DurableWrite {
  /** Fails with EEXIST instead of replacing a file. */
  readonly mustBeNew?: boolean
  /** 0600 by default. */
  readonly mode?: number
  /**
   * Writes the file behind a symbolic link, for files that were read before. Otherwise the link is replaced: one that
   * comes from a repository must not choose what is overwritten.
   */
  readonly followsLink?: boolean
}

/**
 * Writes a whole file or none: to a temporary file, synced, renamed, and the folder synced, so that neither a kill nor
 * a power failure leaves a partial file.
 */
export async function writeDurably(path: string, text: string | Uint8Array, options: DurableWrite = {}): Promise<void> {
  await replaceDurably(path, (temporary) => writeSynced(temporary, text, options.mode ?? 0o600), options)
}

/** The same for a file that `write` makes at the path that it is handed. */
export async function replaceDurably(
  path: string,
  write: (temporary: string) => Promise<void>,
  { mustBeNew = false, followsLink = false }: DurableWrite = {},
): Promise<void> {
  const target = followsLink ? await behindLink(path) : path
  await refuseDevice(target)
  const folder = dirname(target)
  await makeFolder(folder)
  await removeLeftovers(folder)
  const temporary = join(folder, `.${basename(target)}.${writerTag()}-${randomBytes(6).toString('hex')}.tmp`)
  try {
    await write(temporary).catch(naming(target))
    await (mustBeNew ? moveToNew(temporary, target) : rename(temporary, target))
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(folder)
}

/** Removes a file so that it stays removed after a power failure. */
export async function removeDurably(
  path: string,
  { followsLink = false }: Pick<DurableWrite, 'followsLink'> = {},
): Promise<void> {
  const target = followsLink ? await behindLink(path) : path
  for (const one of new Set([target, path])) {
    await rm(one, { force: true })
    await syncFolder(dirname(one)).catch(() => undefined)
  }
}

/** The path itself if nothing is there yet. */
async function behindLink(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** The rename would replace the device, or the link to it. */
async function refuseDevice(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!/^\/(dev|proc)\//.test(path) && (found === undefined || found.isFile() || found.isDirectory())) return
  throw new FileError('This is a device, not a file.', { where: path, fix: 'Name a file.' })
}

/** For `catch`: a write or a sync fails without the name of its file, for example on a full disk. */
export function naming(path: string): (thrown: unknown) => never {
  return (thrown) => {
    const isUnnamed = thrown instanceof Error && 'syscall' in thrown && !('path' in thrown)
    throw isUnnamed ? Object.assign(thrown, { path }) : thrown
  }
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

const temporaryFile = /^\..+\.([0-9a-f]{8}-\d+)-[0-9a-f]{12}\.tmp$/
const longestWriteMs = 600_000

/** Removes what killed writes have left in a folder: it may hold keys. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, tag] = temporaryFile.exec(name) ?? []
    if (tag === undefined) continue
    const leftover = join(folder, name)
    const { mtimeMs } = await stat(leftover).catch(() => ({ mtimeMs: Date.now() }))
    if (isLeftBehind(tag, mtimeMs, longestWriteMs)) await rm(leftover, { force: true }).catch(() => undefined)
  }
}

/** The same for an inventory: in its folder, in `.ichor`, and where its links lead. */
export async function removeLeftoversBeside(folder: string): Promise<void> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const links = found.filter((entry) => entry.isSymbolicLink()).map(({ name }) => behindLink(join(folder, name)))
  const own = await readdir(join(folder, '.ichor'), { withFileTypes: true }).catch(() => [])
  const folders = [
    folder,
    ...(await Promise.all(links)).map(dirname),
    join(folder, '.ichor'),
    ...own.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, '.ichor', name)),
  ]
  await Promise.all([...new Set(folders)].map(removeLeftovers))
}
