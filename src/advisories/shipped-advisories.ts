import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Advisory } from './advisory.js'
import { parseAdvisories } from './parse-advisories.js'

/** Set in the executable, which has no files beside it. */
declare const ICHOR_ADVISORIES: readonly string[] | undefined

let read: readonly Advisory[] | undefined

/** Those that came with this release. */
export function shippedAdvisories(): readonly Advisory[] {
  read ??= texts().flatMap((text) => parseAdvisories(text, 'the advisories of ichor'))
  return read
}

function texts(): readonly string[] {
  if (typeof ICHOR_ADVISORIES !== 'undefined') return ICHOR_ADVISORIES
  const folder = ownFolder()
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return files.sort().map((name) => readFileSync(new URL(name, folder), 'utf8'))
}

/** Beside `dist` and `src`; tests also run from bundles in other folders of the checkout. */
function ownFolder(): URL {
  let folder = new URL('../advisories/', import.meta.url)
  while (!existsSync(new URL('longhorn-minor.yaml', folder)) && folder.pathname !== '/advisories/')
    folder = new URL('../../advisories/', folder)
  return folder
}
