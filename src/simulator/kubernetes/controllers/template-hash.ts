import { createHash } from 'node:crypto'

/** Short and stable: distinguishes the pods of different revisions of a template. */
export function templateHash(template: unknown): string {
  return createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 10)
}
