import { createHash } from 'node:crypto'
import { isMap } from '../object.js'

/** Short and stable, whatever the order of keys: distinguishes the pods of different revisions of a template. */
export function templateHash(template: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(template)))
    .digest('hex')
    .slice(0, 10)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isMap(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]))
}
