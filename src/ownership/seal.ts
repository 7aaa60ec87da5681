import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Proves that a text was written with the secrets of the cluster. */
export interface Sealer {
  seal(lines: readonly string[]): string
  isSealed(lines: readonly string[], seal: string): boolean
}

const version = 'v1'

/** The key of marks. Neither `cluster.id` nor `cluster.secret` is ever rotated, so it never changes. */
export function createSealer({ id, secret }: { readonly id: string; readonly secret: string }): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, id, 'ichor mark v1', 32))
  const digest = (lines: readonly string[]) => createHmac('sha256', key).update(lines.toSorted().join('\n')).digest()
  return {
    seal: (lines) => `${version}:${digest(lines).toString('base64url')}`,
    isSealed: (lines, seal) => {
      const [kind, text = ''] = seal.split(':')
      const given = Buffer.from(text, 'base64url')
      const right = digest(lines)
      return kind === version && given.length === right.length && timingSafeEqual(given, right)
    },
  }
}
