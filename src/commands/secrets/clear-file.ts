import { execFile } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { writeDurably } from '../../durable-file.js'
import { cannotWrite } from '../cannot-write.js'
import type { Context } from '../frame/context.js'

/** Writes decrypted secrets, readable only by the user; warns if git would commit them. */
export async function writeClearFile(file: string, text: string, context: Context): Promise<void> {
  const path = resolve(context.cwd, file)
  await writeDurably(path, text).catch(cannotWrite(path))
  context.stdout.write(`wrote ${path}\n`)
  await warnUnlessIgnored(path, context)
}

export async function warnUnlessIgnored(path: string, { stderr }: Context): Promise<void> {
  if (await wouldBeCommitted(path)) {
    stderr.write(`note git does not ignore ${path}: add it to .gitignore, or move it out of the repository.\n`)
  }
}

/** `git check-ignore` exits with 1 for a file that is not ignored, and with 128 outside a repository. */
async function wouldBeCommitted(path: string): Promise<boolean> {
  const args = ['-C', dirname(path), 'check-ignore', '--quiet', '--', path]
  return promisify(execFile)('git', args, { timeout: 5000 }).then(
    () => false,
    (thrown: { code?: unknown }) => thrown.code === 1,
  )
}
