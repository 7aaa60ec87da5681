import type { GrantedToken } from '../../access/index.js'
import type { Status } from '../../operations/status/status.js'

type Values = Readonly<Record<string, string>>

/**
 * The expiry values to store for the tokens in use, as `<id> <time>`, without known ones and tokens that never expire.
 */
export function expiryValues(tokens: readonly Pick<GrantedToken, 'addon' | 'current'>[], known: Values): Values {
  const entries = tokens.flatMap(({ addon, current }) => {
    if (current === undefined) return []
    const name = `${addon ?? 'proxmox'}${suffix}`
    const value = current.expire === 0 ? never : `${current.id} ${new Date(current.expire * 1000).toISOString()}`
    return value === (known[name] ?? never) ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Tokens that expire, listed with the certificates in `status`. */
export function expiringTokens(values: Values): Status['certificates'] {
  return Object.entries(values)
    .filter(([name]) => name.endsWith(suffix))
    .flatMap(([, value]) => {
      const [, id, expires] = /^(\S+@\S+!\S+) (\S+)$/.exec(value) ?? []
      return id === undefined || expires === undefined ? [] : [{ name: `token ${id}`, expires }]
    })
}

const suffix = '.token_expires'
const never = 'never'
