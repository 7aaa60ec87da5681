import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { writeDurably } from '../../durable-file.js'
import { makeFolder, makeOwnFolder } from '../../make-folder.js'
import { stateHome } from '../../trust/state-folder.js'
import { type Memory, parseMemory } from '../../watch/memory.js'

export interface MemoryPlaces {
  /** A lab and the real cluster have files of their own. */
  readonly isLab: boolean
  readonly env: NodeJS.ProcessEnv
  /** `--state`: only there. */
  readonly state?: string
}

/** Where it stands what was reported of one environment. */
export interface MemoryFile {
  /** `undefined` if there is none: then everything is new. */
  read(): Promise<Memory | undefined>
  /** Whether it could be written. */
  write(memory: Memory): Promise<boolean>
}

/**
 * Beside the inventory, or in a folder for states where that is read-only. By the path of the inventory, because this is
 * read before anything is known about the cluster.
 */
export function memoryFile(folder: string, { isLab, env, state }: MemoryPlaces): MemoryFile {
  const name = isLab ? 'watch.lab.json' : 'watch.json'
  const own = `${basename(resolve(folder))}-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)}`
  const home = stateHome(env)
  const elsewhere = (base: string) => ({
    path: join(base, own, name),
    make: () => makeFolder(join(base, own), 0o700),
  })
  const beside = { path: join(folder, '.ichor', name), make: async () => void makeOwnFolder(folder) }
  const places =
    state === undefined
      ? [beside, ...(home === undefined ? [] : [elsewhere(join(home, 'ichor', 'watch'))])]
      : [elsewhere(state)]
  return {
    read: async () => {
      const found = await Promise.all(
        places.map(({ path }) => readFile(path, 'utf8').then(parseMemory, () => undefined)),
      )
      return found
        .filter((memory) => memory !== undefined)
        .toSorted((one, other) => (other.writtenAt ?? 0) - (one.writtenAt ?? 0))[0]
    },
    write: async (memory) => {
      const text = `${JSON.stringify({ ...memory, writtenAt: Date.now() }, null, 2)}\n`
      for (const { path, make } of places) {
        try {
          await make()
          await writeDurably(path, text)
          return true
        } catch {
          // The next place may be writable.
        }
      }
      return false
    },
  }
}
