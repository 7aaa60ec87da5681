import { readFile } from 'node:fs/promises'
import { FileError } from '../../errors.js'
import type { SavedLab } from '../../lab/index.js'

/** A file written by `ichor lab save`; refuses any other JSON. */
export async function readSavedLab(file: string): Promise<SavedLab> {
  const details = { where: file, fix: 'Give a file that ichor lab save wrote.' }
  const saved = await readFile(file, 'utf8')
    .then((text) => JSON.parse(text) as Partial<SavedLab> | null)
    .catch((cause: unknown) => {
      throw new FileError('The saved lab cannot be read.', { ...details, cause })
    })
  if (saved?.format === 1 && saved.topology !== undefined) return saved as SavedLab
  throw new FileError('The file holds no saved lab.', details)
}
