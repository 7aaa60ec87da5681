import { currentOperator } from './operator.js'

/** What a full or read-only disk answers to a call that would change it; nothing where the operator's disk is well. */
export function refusedByDisk(syscall: Syscall, path?: string): NodeJS.ErrnoException | undefined {
  const disk = currentOperator()?.disk
  if (disk === undefined || !fails[disk.how].includes(syscall)) return undefined
  if (disk.how === 'read-only' && path?.includes(sitePrefix) !== true) return undefined
  if (disk.left > 0) {
    disk.left--
    return undefined
  }
  const { code, errno, words } = answers[disk.how]
  const named = path === undefined ? '' : ` '${path}'`
  const error: NodeJS.ErrnoException = new Error(`${code}: ${words}, ${syscall}${named}`)
  return Object.assign(error, { code, errno, syscall, ...(path === undefined ? {} : { path }) })
}

/** Only the folder of the inventory is read-only. */
export const sitePrefix = 'ichor-chaos-'

export type Syscall = 'open' | 'write' | 'mkdir' | 'rename' | 'link' | 'unlink' | 'chmod'

/** A file can be emptied, renamed or deleted where there is no room for another byte. */
const fails: Readonly<Record<'full' | 'read-only', readonly Syscall[]>> = {
  full: ['write', 'mkdir'],
  'read-only': ['open', 'mkdir', 'rename', 'link', 'unlink', 'chmod'],
}

const answers = {
  full: { code: 'ENOSPC', errno: -28, words: 'no space left on device' },
  'read-only': { code: 'EROFS', errno: -30, words: 'read-only file system' },
} as const
