import { FileError, UserFacingError } from '../../errors.js'

/** File errors of the operating system, in words. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'a file with that name exists already',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'a file exists where a folder is needed',
  ENOTEMPTY: 'the folder is not empty',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
}

/** A file that cannot be used is the user's to fix and not a bug: a fallback for errors that were not handled. */
export function explainSystemError(thrown: unknown): unknown {
  if (thrown instanceof UserFacingError || !(thrown instanceof Error)) return thrown
  const { code = '', path } = thrown as NodeJS.ErrnoException
  const reason = words[code]
  if (reason === undefined || path === undefined) return thrown
  return new FileError(`The file or folder ${path} cannot be used: ${reason}.`, {
    where: path,
    fix: 'Check the path and its permissions.',
    cause: thrown,
  })
}
