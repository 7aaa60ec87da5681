import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Run } from './action.js'
import type { Book } from './book.js'
import { noteSecrets, rotationsIn } from './keys.js'
import { readEdits } from './shape.js'
import { linkable } from './site.js'
import type { Checkout } from './words.js'

/** The files that a run reads and writes. */
export async function checkoutOf({ site, shape }: Book, { isFromLaptop }: Run): Promise<Checkout> {
  if (!isFromLaptop) return { folder: site.folder, shape }
  return { folder: site.laptop, shape: { ...shape, ...(await readEdits(site.laptop)) } }
}

/** The second operator gets the files of the first, or the first the keys that the second has rotated. */
export async function exchange({ site, keys }: Book, what: 'pull' | 'push'): Promise<void> {
  const { folder, laptop, secretsPath } = site
  if (what === 'pull') {
    for (const name of linkable) await copyFile(join(folder, name), join(laptop, name)).catch(() => undefined)
    return
  }
  const theirs = await findText(join(laptop, secretsFile))
  const ours = await findText(secretsPath)
  if (theirs === undefined || ours === undefined || rotationsIn(theirs) <= rotationsIn(ours)) return
  noteSecrets(keys, theirs)
  await writeFile(secretsPath, theirs, { mode: 0o600 })
}

/** What a run in one of the folders has written. */
export async function noteFiles(book: Book, folder: string): Promise<void> {
  const written = await findText(join(folder, secretsFile))
  if (written !== undefined) noteSecrets(book.keys, written)
  const ours = await findText(book.site.secretsPath)
  if (ours !== undefined) expectStaleSecrets(book, ours)
  book.shape = { ...book.shape, ...(await readEdits(book.site.folder)) }
}

const [, secretsFile] = linkable

function findText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

const because = 'the secrets are from before a rotation'

/** They would put the old key back: whoever has the newest ones hands them over. */
export function expectStaleSecrets(book: Book, text: string): void {
  const { keys, excuses, site } = book
  if (rotationsIn(text) >= rotationsIn(keys.newest) || excuses.some((one) => one.because === because)) return
  excuses.push({
    because,
    pattern: /secrets are older than the cluster|other keys than those|another Talos CA than/,
    heal: () => writeFile(site.secretsPath, keys.newest, { mode: 0o600 }),
  })
}
