import { FileError, reasonOf } from '../errors.js'

/** For `catch`: a file that the user named cannot be written, which is not a bug. */
export function cannotWrite(path: string): (thrown: unknown) => never {
  return (cause) => {
    throw new FileError(`The file cannot be written: ${reasonOf(cause)}.`, {
      where: path,
      fix: 'Choose a file in an existing folder that you can write to.',
      cause,
    })
  }
}
