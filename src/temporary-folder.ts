import { rmSync } from 'node:fs'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeftBehind, writerTag } from './left-behind.js'

const open = new Set<string>()
let isWatching = false

export interface TemporaryFolder {
  readonly path: string
  remove(): Promise<void>
}

/** A private temporary folder. It is removed when the process ends, even if it was not released. */
export async function makeTemporaryFolder(purpose: string): Promise<TemporaryFolder> {
  if (!isWatching) process.on('exit', removeAll)
  isWatching = true
  const path = await mkdtemp(join(tmpdir(), `ichor-${purpose}-${writerTag()}-`))
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
export async function inTemporaryFolder<T>(purpose: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder(purpose)
  try {
    return await work(folder.path)
  } finally {
    await folder.remove()
  }
}

function removeAll(): void {
  for (const path of open) rmSync(path, { recursive: true, force: true })
}

const named = /^ichor-[a-z]+-([0-9a-f]{8}-\d+)-\w{6}$/
const longestUseMs = 86_400_000

/** Removes the folders of killed processes of this user: they may hold access to a cluster. */
export async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [, tag] = named.exec(name) ?? []
    if (tag === undefined) continue
    const path = join(tmpdir(), name)
    const found = await lstat(path).catch(() => undefined)
    const isOurs = found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid)
    if (!isOurs || !isLeftBehind(tag, found.mtimeMs, longestUseMs)) continue
    await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}
