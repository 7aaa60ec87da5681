import { existsSync } from 'node:fs'
import * as real from 'node:fs/promises'
import { refusedByDisk, type Syscall } from '../disk.js'

// Whatever does not change the disk is the real one.
export * from 'node:fs/promises'

/** For the operator whose disk is full or read-only. */
function orRefused<Args extends [unknown, ...unknown[]], Result>(
  syscall: Syscall,
  call: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const refused = refusedByDisk(syscall, String(args[0]))
    if (refused !== undefined) throw refused
    return call(...args)
  }
}

export const mkdtemp = orRefused('mkdir', (prefix: string) => real.mkdtemp(prefix))
export const rename = orRefused('rename', real.rename)
export const link = orRefused('link', real.link)
export const chmod = orRefused('chmod', real.chmod)

/** Nothing is deleted that is not there, so nothing is refused either. */
export const rm: typeof real.rm = async (path, options) => {
  const refused = existsSync(String(path)) ? refusedByDisk('unlink', String(path)) : undefined
  if (refused !== undefined) throw refused
  return real.rm(path, options)
}

/** A folder that exists already is reported as such. */
export const mkdir = (async (path: string, options?: object) => {
  const refused = existsSync(path) ? undefined : refusedByDisk('mkdir', path)
  if (refused !== undefined) throw refused
  return real.mkdir(path, options)
}) as typeof real.mkdir

export const writeFile: typeof real.writeFile = async (path, ...rest) => {
  const refused = refusedByDisk('open', String(path))
  if (refused !== undefined) throw refused
  const full = refusedByDisk('write')
  if (full === undefined) return real.writeFile(path, ...rest)
  await real.writeFile(path, '')
  throw full
}

export const open: typeof real.open = async (path, flags = 'r', mode) => {
  const writes = flags !== 'r'
  const refused = writes ? refusedByDisk('open', String(path)) : undefined
  if (refused !== undefined) throw refused
  const handle = await real.open(path, flags, mode)
  return writes ? limited(handle) : handle
}

/** The file is there, and nothing gets into it. */
function limited(handle: real.FileHandle): real.FileHandle {
  return new Proxy(handle, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const call = value.bind(target) as (...args: unknown[]) => unknown
      if (key !== 'write' && key !== 'writeFile' && key !== 'appendFile' && key !== 'writev') return call
      return async (...args: unknown[]) => {
        const full = refusedByDisk('write')
        if (full !== undefined) throw full
        return call(...args)
      }
    },
  })
}
