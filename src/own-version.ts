import { existsSync, readFileSync } from 'node:fs'

/** Set when the program is bundled for a release. */
declare const ICHOR_VERSION: string | undefined

export function ownVersion(): string {
  if (typeof ICHOR_VERSION === 'string') return ICHOR_VERSION
  return (JSON.parse(readFileSync(ownPackage(), 'utf8')) as { version: string }).version
}

/** Tests run from source, and from bundles in other folders of the checkout. */
function ownPackage(): URL {
  let file = new URL('../package.json', import.meta.url)
  while (!existsSync(file) && file.pathname !== '/package.json') file = new URL('../package.json', file)
  return file
}
