import { FileError, UserFacingError } from '../../errors.js'

/** File errors of the operating system, in words. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the quota of the disk is used up',
  EEXIST: 'a file with that name exists already',
  EFBIG: 'the file would be too large',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'a file exists where a folder is needed',
  ENOTEMPTY: 'the folder is not empty',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
}

/** What helps against a full disk; `undefined` if that is not the reason. */
export function fixOfFullDisk({ code = '' }: NodeJS.ErrnoException): string | undefined {
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'Free some space, then run the same command again.' : undefined
}

/** A file that cannot be used is the user's to fix and not a bug: a fallback for errors that were not handled. */
export function explainSystemError(thrown: unknown): unknown {
  if (thrown instanceof UserFacingError || !(thrown instanceof Error)) return thrown
  const { code = '', path, syscall } = thrown as NodeJS.ErrnoException
  const reason = words[code]
  // Connections fail without a path as well.
  if (reason === undefined || (path === undefined && syscall !== 'write' && syscall !== 'fsync')) return thrown
  const named = path === undefined ? 'A file' : `The file or folder ${path}`
  const fix = fixOfFullDisk(thrown) ?? 'Check the path and its permissions.'
  return new FileError(`${named} cannot be used: ${reason}.`, { where: path ?? 'this computer', fix, cause: thrown })
}
