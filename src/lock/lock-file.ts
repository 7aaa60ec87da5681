import { isMap } from 'yaml'
import type { PinnedDigests } from '../cluster/pinned-digests.js'
import { writeDurably } from '../durable-file.js'
import { emptyLock, lockPath, lockWrite, readLock } from '../secrets/cluster-lock.js'

const kinds = ['images', 'installers', 'charts'] as const

/** What the lock file next to the inventory pins; `undefined` if `ichor lock` was never run. */
export async function findPinnedDigests(folder: string, isLab: boolean): Promise<PinnedDigests | undefined> {
  const lock = await readLock(lockPath(folder, isLab))
  if (lock === undefined || kinds.every((kind) => !lock.has(kind))) return undefined
  const read = (kind: (typeof kinds)[number]) => {
    const section = lock.get(kind)
    const entries = isMap(section) ? Object.entries(section.toJSON() as Record<string, unknown>) : []
    return Object.fromEntries(entries.map(([name, digest]) => [name, String(digest).replace(/^sha256:/, '')]))
  }
  return { images: read('images'), installers: read('installers'), charts: read('charts') }
}

/** Keeps comments and the cluster that the folder belongs to. Returns the path of the file. */
export async function writePinnedDigests(folder: string, isLab: boolean, digests: PinnedDigests): Promise<string> {
  const path = lockPath(folder, isLab)
  const lock = (await readLock(path)) ?? emptyLock(isLab)
  for (const kind of kinds) {
    const entries = Object.entries(digests[kind]).sort(([one], [other]) => (one < other ? -1 : 1))
    lock.set(kind, lock.createNode(Object.fromEntries(entries.map(([name, hex]) => [name, `sha256:${hex}`]))))
  }
  await writeDurably(path, lock.toString({ lineWidth: 0 }), lockWrite)
  return path
}
