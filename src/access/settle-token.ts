import type { ProxmoxPort } from '../proxmox/client/port.js'
import type { ApiToken } from '../proxmox/model/api-token.js'
import type { Identity } from './identities.js'
import { TokenNotKept } from './token-errors.js'
import type { TokenHome } from './token-home.js'
import { tokenName, tokenNumber } from './token-name.js'

export interface SettleOptions {
  readonly renew: boolean
  /** Expiry of a new token, in seconds since 1970. */
  readonly expire?: number
  /** Logs in with the token: whether Proxmox accepts it. Throws if it is accepted but lacks the rights of its roles. */
  readonly prove: (token: ApiToken, identity: Identity) => Promise<boolean>
  readonly signal: AbortSignal
}

export interface SettledToken {
  /** Shown to the user if only the user can store it. */
  readonly shown: ApiToken | undefined
  /** Where it was stored. */
  readonly kept: string | undefined
  /** The token in use from now on, and its expiry. */
  readonly current: { readonly id: string; readonly expire: number } | undefined
  readonly notes: readonly string[]
}

interface OwnToken {
  readonly name: string
  readonly number: number
  readonly expire?: number
}

/**
 * Ensures one working token in its store. A new token is created next to the old one, tested, stored and read back;
 * only then the old one is deleted. After a kill in between, the next run finds two tokens, and the store names the one
 * in use.
 */
export async function settleToken(
  access: ProxmoxPort['access'],
  identity: Identity,
  where: TokenHome,
  { renew, expire, prove, signal }: SettleOptions,
): Promise<SettledToken> {
  const tokens = await ownTokens(access, identity, signal)
  const found = await where.find()
  const home = found?.id.startsWith(`${identity.user}!`) === false ? leftAlone(where) : where
  const inUse = findInUse(tokens, found, identity)
  const works = inUse !== undefined && (await prove(inUse.value, identity))
  const isMade = renew || (home.keep === undefined ? tokens.length === 0 : !works)
  if (!isMade) {
    const left = works ? await removeOthers(access, identity, home, inUse.token, signal) : []
    return { shown: undefined, kept: undefined, current: currentOf(identity, inUse?.token), notes: left }
  }
  const made = await makeToken(access, identity, tokens, { expire, prove, signal })
  const current = { id: made.value.id, expire: expire ?? 0 }
  if (home.keep === undefined) {
    const notes = tokens.map(({ name }) => `${identity.user}!${name} keeps working: ${whenShown}`)
    return { shown: made.value, kept: undefined, current, notes: [made.note, ...notes] }
  }
  await keep(home, made.value)
  const notes = await removeOthers(access, identity, home, made.token, signal)
  return { shown: undefined, kept: home.location, current, notes: [made.note, ...notes] }
}

/** A token that the user created: it is not overwritten. */
function leftAlone({ location, find, olderInUse }: TokenHome): TokenHome {
  return { location, find, olderInUse }
}

const whenShown = 'put the new token in its place, then run ichor access again, and it is removed'

async function ownTokens(
  access: ProxmoxPort['access'],
  { user }: Identity,
  signal: AbortSignal,
): Promise<readonly OwnToken[]> {
  const tokens = (await access.findTokens(user, signal)) ?? []
  return tokens.flatMap((token) => {
    const number = tokenNumber(token)
    if (number === undefined) return []
    return [{ name: token.name, number, ...(token.expire === undefined ? {} : { expire: token.expire }) }]
  })
}

function findInUse(tokens: readonly OwnToken[], value: ApiToken | undefined, { user }: Identity) {
  const token = tokens.find(({ name }) => value?.id === `${user}!${name}`)
  return token === undefined || value === undefined ? undefined : { token, value }
}

function currentOf({ user }: Identity, token: OwnToken | undefined): SettledToken['current'] {
  return token === undefined ? undefined : { id: `${user}!${token.name}`, expire: token.expire ?? 0 }
}

/** A token that does not work is deleted. */
async function makeToken(
  access: ProxmoxPort['access'],
  identity: Identity,
  tokens: readonly OwnToken[],
  { expire, prove, signal }: Pick<SettleOptions, 'prove' | 'signal'> & { readonly expire: number | undefined },
): Promise<{ token: OwnToken; value: ApiToken; note: string }> {
  const { user, comment } = identity
  const number = Math.max(0, ...tokens.map((token) => token.number)) + 1
  const token = { name: tokenName(number), number }
  const lifetime = expire === undefined ? {} : { expire }
  // Not separated from its user, who has no password and only these roles.
  const value = await access.createToken(user, { name: token.name, comment, separated: false, ...lifetime }, signal)
  const isTaken = await prove(value, identity).catch(async (thrown: unknown) => {
    await access.removeToken(user, token.name, signal)
    throw thrown
  })
  if (isTaken) return { token, value, note: `made token ${value.id}` }
  await access.removeToken(user, token.name, signal)
  throw new TokenNotKept(`Proxmox does not accept the new token ${value.id}.`, value.id)
}

async function keep(home: TokenHome, value: ApiToken): Promise<void> {
  await home.keep?.(value)
  const found = await home.find()
  if (found?.id === value.id && found.secret === value.secret) return
  throw new TokenNotKept(`The new token ${value.id} is not what ${home.location} holds after it was written.`, value.id)
}

/** Older ones once they are unused; newer ones only if they were lost on the way to a store that ichor writes. */
async function removeOthers(
  access: ProxmoxPort['access'],
  identity: Identity,
  home: TokenHome,
  current: OwnToken,
  signal: AbortSignal,
): Promise<string[]> {
  const others = (await ownTokens(access, identity, signal)).filter(({ number }) => number !== current.number)
  const older = others.filter(({ number }) => number < current.number)
  const younger = others.filter(({ number }) => number > current.number)
  const inUse = older.length === 0 ? undefined : await home.olderInUse()
  const unneeded = [...(inUse === undefined ? older : []), ...(home.keep === undefined ? [] : younger)]
  for (const { name } of unneeded) await access.removeToken(identity.user, name, signal)
  const id = (name: string) => `${identity.user}!${name}`
  return [
    ...unneeded.map(({ name }) => `removed token ${id(name)}`),
    ...(inUse === undefined ? [] : older.map(({ name }) => `${id(name)} keeps working: ${inUse}`)),
    ...(home.keep === undefined ? younger.map(({ name }) => `${id(name)} is younger than the token in use`) : []),
  ]
}
