import type { AccessFacts, AccessInventory } from './access-inventory.js'
import type { Places } from './places.js'

/** A content type that a storage must allow and does not. */
export interface MissingContent {
  readonly storage: string
  readonly content: string
}

/** What an administrator must allow on the storages that the inventory names. */
export function missingContent(
  { settings: { talos } }: AccessInventory,
  { disks, images, seeds }: Places,
  { storages }: AccessFacts,
): MissingContent[] {
  const wanted = [
    ...disks.map((path) => ({ path, content: 'images' })),
    ...images.map((path) => ({ path, content: talos.boot === 'iso' ? 'iso' : 'import' })),
    ...seeds.map((path) => ({ path, content: 'iso' })),
  ]
  const missing = wanted.flatMap(({ path, content }) => {
    const found = storages.find(({ storage }) => `/storage/${storage}` === path)
    if (found === undefined || found.content.includes(content)) return []
    // Config media are imported if that is allowed.
    const isImported = content === 'iso' && talos.boot !== 'iso' && found.content.includes('import')
    return isImported ? [] : [{ storage: found.storage, content }]
  })
  return [...new Map(missing.map((one) => [`${one.storage}/${one.content}`, one])).values()]
}
