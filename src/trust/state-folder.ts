import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { writeDurably } from '../durable-file.js'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Where ichor stores what it learned about a cluster's hosts: outside the inventory, because users who can push to that
 * must not decide where the token is sent. Empty if this computer has no such place; the last one is the inventory's
 * folder, used before the cluster has an ID.
 */
export function stateFolders(
  { folder, clusterId }: { readonly folder: string; readonly clusterId?: string | undefined },
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const home = stateHome(env, platform)
  if (home === undefined) return []
  const place = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)
  return [clusterId ?? [], `folder-${place}`].flat().map((name) => join(home, 'ichor', name))
}

/** Of this user, for what outlives a session. */
export function stateHome(env: Environment, platform: NodeJS.Platform = process.platform): string | undefined {
  if (env.XDG_STATE_HOME) return env.XDG_STATE_HOME
  if (platform === 'win32') return env.LOCALAPPDATA
  return env.HOME ? join(env.HOME, '.local', 'state') : undefined
}

/** One file of it. It is only a convenience, so read and write errors are ignored. */
export interface StateFile {
  /** From the first folder that has it. */
  read(): Promise<unknown>
  write(value: unknown): Promise<void>
}

export function stateFile(folders: readonly string[], name: string): StateFile {
  const paths = folders.map((folder) => join(folder, name))
  const [path] = paths
  return {
    read: async () => {
      for (const one of paths) {
        const text = await readFile(one, 'utf8').catch(() => '')
        if (text !== '' && !(await mayBeCommitted(one))) return parse(text)
      }
      return undefined
    },
    write: async (value) => {
      if (path === undefined) return
      await writeDurably(path, `${JSON.stringify(value, null, 2)}\n`).catch(() => undefined)
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A committed file may come from someone else. A file that git cannot examine counts as committed. */
async function mayBeCommitted(path: string): Promise<boolean> {
  if (!(await isInRepository(dirname(path)))) return false
  const args = ['-C', dirname(path), 'ls-files', '--error-unmatch', '--', path]
  return promisify(execFile)('git', args, { timeout: 5000 }).then(
    () => true,
    // The code for an untracked file; any other one is a failure.
    (thrown: { readonly code?: unknown }) => thrown.code !== 1,
  )
}

/** Git itself may be missing. */
async function isInRepository(folder: string): Promise<boolean> {
  const found = await lstat(join(folder, '.git')).then(
    () => true,
    (thrown: NodeJS.ErrnoException) => thrown.code !== 'ENOENT' && thrown.code !== 'ENOTDIR',
  )
  return found || (dirname(folder) !== folder && (await isInRepository(dirname(folder))))
}
