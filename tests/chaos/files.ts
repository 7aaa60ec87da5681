import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Book } from './book.js'
import { Broken } from './broken.js'
import { linkable, type Site } from './site.js'

/** A link that somebody made is never replaced by a file. */
export function judgeLinks({ site, shape }: Book): void {
  if (!shape.isLinked) return
  const replaced = linkable
    .map((name) => join(site.folder, name))
    .find((path) => existsSync(path) && !lstatSync(path).isSymbolicLink())
  if (replaced !== undefined) throw new Broken('link', `${replaced} was a link, and is a file now`)
}

const temporary = /\.tmp$|\.ichor-\d+$|\.partial$/

/** Whatever happened to writes before: what they left may hold keys, and is gone, also beside a file behind a link. */
export function judgeLeftFiles({ folder }: Pick<Site, 'folder'>): void {
  const left = readdirSync(dirname(folder), { recursive: true, encoding: 'utf8' }).filter(
    (name) => temporary.test(name) && !name.startsWith('.lab/'),
  )
  if (left.length > 0) throw new Broken('left-file', left.join(', '))
}
