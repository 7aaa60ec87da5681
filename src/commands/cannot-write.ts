import { FileError, reasonOf } from '../errors.js'

/** For `catch`: a file that the user named cannot be written, and that is no bug of ours. */
export function cannotWrite(path: string): (thrown: unknown) => never {
  return (cause) => {
    throw new FileError(`The file cannot be written: ${reasonOf(cause)}.`, {
      where: path,
      fix: 'Name a file in a folder that is there and that you may write to.',
      cause,
    })
  }
}
