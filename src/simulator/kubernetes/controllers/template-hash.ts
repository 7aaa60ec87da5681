import { createHash } from 'node:crypto'

/** Short and stable: reports the pods of one revision of a template from those of another. */
export function templateHash(template: unknown): string {
  return createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 10)
}
