import { randomBytes } from 'node:crypto'
import { realpath, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DurableWrite } from '../../../../src/durable-file.js'
import { writerTag } from '../../../../src/left-behind.js'
import { makeFolder } from '../../../../src/make-folder.js'

export * from '../../../../src/durable-file.js'

/** What could not be written stays, and so does what a killed write has left. */
export async function writeDurably(path: string, text: string | Uint8Array, { mode = 0o600 }: DurableWrite = {}) {
  const target = await realpath(path).catch(() => path)
  await makeFolder(dirname(target))
  const tag = `${writerTag()}-${randomBytes(6).toString('hex')}`
  const temporary = join(dirname(target), `.${basename(target)}.${tag}.tmp`)
  await writeFile(temporary, text, { mode })
  await rename(temporary, target)
}

export async function removeLeftoversBeside(): Promise<void> {}
