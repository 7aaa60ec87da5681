import { FileError, reasonOf, UserFacingError } from '../errors.js'
import { fixOfFullDisk } from './frame/system-error.js'

/** For `catch`: a file that the user named cannot be written, which is not a bug. */
export function cannotWrite(path: string): (thrown: NodeJS.ErrnoException) => never {
  return (cause) => {
    if (cause instanceof UserFacingError) throw cause
    throw new FileError(`The file cannot be written: ${reasonOf(cause)}.`, {
      where: path,
      fix: fixOfFullDisk(cause) ?? 'Choose a file in an existing folder that you can write to.',
      cause,
    })
  }
}
