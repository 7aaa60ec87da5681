import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Document, isMap, parseDocument } from 'yaml'
import { removeDurably, writeDurably } from '../durable-file.js'
import { FileError } from '../errors.js'
import { secretsOfOther } from '../findings/refusals/secrets.js'

/** Which cluster an inventory belongs to, stored next to it and in version control. */
export interface ClusterLock {
  /** As stored in marks; `undefined` before the cluster has secrets. */
  find(): Promise<string | undefined>
  /** Refuses any other cluster than the recorded one. */
  check(clusterId: string): Promise<void>
  /** Records it, unless another one is recorded. */
  bind(clusterId: string): Promise<void>
  /** The cluster was deleted. */
  release(): Promise<void>
}

const heading = (isLab: boolean) =>
  ` Written by ichor${isLab ? ' for a lab: not for git' : ': commit it'}. It identifies the cluster of this folder and the bytes it is built from.\n`

/** It holds no secret, and may be a link, as the inventory may. */
export const lockWrite = { mode: 0o644, followsLink: true }

export function lockPath(folder: string, isLab: boolean): string {
  return join(folder, isLab ? 'ichor.lab.lock.yaml' : 'ichor.lock.yaml')
}

export function emptyLock(isLab: boolean): Document {
  return parseDocument(`#${heading(isLab)}version: 1\n`)
}

/** Those of a lab are always separate from the real cluster. */
export function openClusterLock(folder: string, isLab: boolean): ClusterLock {
  const path = lockPath(folder, isLab)

  const check = async (clusterId: string) => {
    const bound = findClusterId(await readLock(path), path)
    if (bound === undefined || bound === clusterId) return
    throw secretsOfOther.refuse(
      `The secrets belong to cluster ${clusterId}, but this folder is bound to cluster ${bound}.`,
      {
        subject: { kind: 'cluster', name: clusterId },
        where: path,
        fix: 'Restore the right secrets file; it may have been replaced. If this folder is for another cluster now, delete cluster_id there.',
      },
    )
  }

  return {
    find: async () => findClusterId(await readLock(path), path),
    check,
    bind: async (clusterId) => {
      await check(clusterId)
      const lock = (await readLock(path)) ?? emptyLock(isLab)
      if (findClusterId(lock, path) === clusterId) return
      lock.set('cluster_id', clusterId)
      await writeDurably(path, lock.toString(), lockWrite)
    },
    release: async () => {
      const lock = await readLock(path)
      if (lock === undefined || !lock.delete('cluster_id')) return
      const isEmpty = isMap(lock.contents) && lock.contents.items.length <= 1
      await (isEmpty ? removeDurably(path, lockWrite) : writeDurably(path, lock.toString(), lockWrite))
    },
  }
}

/** It names a folder of this computer, and comes from the repository. */
function findClusterId(lock: Document | undefined, path: string): string | undefined {
  const found = lock?.get('cluster_id')
  if (found === undefined || found === null) return undefined
  if (typeof found === 'string' && /^[0-9a-f]{16}$/.test(found)) return found
  throw new FileError('The lock file has a cluster_id that ichor did not write.', {
    where: path,
    fix: 'Restore the file from version control. If this folder is for a new cluster, delete cluster_id there.',
  })
}

/** Other keys and comments are kept. */
export async function readLock(path: string): Promise<Document | undefined> {
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined
    throw thrown
  })
  if (text === undefined) return undefined
  const lock = parseDocument(text)
  if (lock.errors.length === 0 && isMap(lock.contents) && lock.get('version') === 1) return lock
  throw new FileError('The lock file cannot be read, or a newer ichor wrote it.', {
    where: path,
    fix: 'Restore it from version control, or install the newest ichor.',
  })
}
