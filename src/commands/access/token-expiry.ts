import type { GrantedToken } from '../../access/index.js'
import type { Status } from '../../status/status.js'

type Values = Readonly<Record<string, string>>

/** What is to be written down of the tokens in use, as `<id> <time>`; nothing that is known, and nothing for those that never end. */
export function expiryValues(tokens: readonly Pick<GrantedToken, 'addon' | 'current'>[], known: Values): Values {
  const entries = tokens.flatMap(({ addon, current }) => {
    if (current === undefined) return []
    const name = `${addon ?? 'proxmox'}${suffix}`
    const value = current.expire === 0 ? never : `${current.id} ${new Date(current.expire * 1000).toISOString()}`
    return value === (known[name] ?? never) ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Tokens that stop working at a time, beside the certificates that `status` shows. */
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
