import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../api-error.js'
import { type Datacentre, nowSeconds } from '../datacentre.js'
import type { UserState } from '../state.js'
import type { Identity } from './permissions.js'

const twoHours = 7200

/** Refusals have no body and are delayed: the original slows guessing down. */
function refused(reason: string): ApiError {
  return new ApiError(401, reason, { emptyBody: true })
}

/** Since 8.4.17 a 401 does not state what is wrong with a ticket or token. */
function refusedBecause({ saysWhyRefused }: Datacentre, why: string): ApiError {
  return refused(saysWhyRefused ? why : 'Authentication failed!')
}

export interface Credentials {
  readonly cookie?: string
  readonly authorization?: string
  readonly csrf?: string
}

/** The caller, or a 401. A ticket takes precedence over a token; tickets need the CSRF token for changes. */
export function authenticate(
  datacentre: Datacentre,
  { cookie, authorization, csrf }: Credentials,
  needsCsrf: boolean,
): Identity {
  const ticket =
    /(?:^|[;\s])PVEAuthCookie=([^;]*)/.exec(cookie ?? '')?.[1] ??
    /^PVEAuthCookie[= ](.*)$/.exec(authorization ?? '')?.[1]
  if (ticket !== undefined && ticket !== '') {
    const user = userOfTicket(datacentre, decode(ticket))
    if (user === undefined) throw refusedBecause(datacentre, 'permission denied - invalid PVE ticket')
    if (needsCsrf && !isSigned(datacentre, 'csrf', user, csrf ?? ''))
      throw refused('Permission denied - invalid csrf token')
    return { user }
  }
  const token = /^PVEAPIToken[= ](.*)$/.exec(authorization ?? '')?.[1]
  if (token === undefined) throw refused('No ticket')
  return identityOfToken(datacentre, decode(token))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function identityOfToken(datacentre: Datacentre, text: string): Identity {
  const [, name = '', secret] = /^([^=]*)(?:=(.*))?$/.exec(text) ?? []
  const [user = '', token = ''] = name.split('!')
  const why = complaintAbout(datacentre, { name, user, token, secret })
  if (why !== undefined) throw refusedBecause(datacentre, why)
  return { user, token }
}

function complaintAbout(
  datacentre: Datacentre,
  { name, user, token, secret }: { name: string; user: string; token: string; secret: string | undefined },
): string | undefined {
  if (secret === undefined) return 'no tokenid specified'
  if (token === '') return `'${name}' is not a valid token ID - not able to split into user and token parts`
  const owner = datacentre.state.access.users[user]
  if (owner === undefined) return `no such user ('${user}')`
  if (!owner.enable) return `user '${user}' is disabled`
  if (isPast(datacentre, owner.expire)) return `user '${user}' access expired`
  const found = owner.tokens[token]
  if (found === undefined || datacentre.state.access.revoked?.includes(name) === true)
    return `no such token '${token}' for user '${user}'`
  if (isPast(datacentre, found.expire)) return `token '${token}' access expired`
  return same(found.secret, secret) ? undefined : 'invalid token value!'
}

/** Zero means never. */
function isPast(datacentre: Datacentre, moment: number): boolean {
  return moment !== 0 && moment <= nowSeconds(datacentre)
}

export function isActive(datacentre: Datacentre, user: UserState): boolean {
  return user.enable && !isPast(datacentre, user.expire)
}

export function makeTicket(datacentre: Datacentre, user: string): { ticket: string; csrf: string } {
  const time = nowSeconds(datacentre).toString(16).toUpperCase()
  return {
    ticket: `PVE:${user}:${time}::${sign(datacentre, 'ticket', user, time)}`,
    csrf: `${time}:${sign(datacentre, 'csrf', user, time)}`,
  }
}

/** The user of a valid ticket of ours. */
export function userOfTicket(datacentre: Datacentre, ticket: string): string | undefined {
  const [, user = '', time = '', signature = ''] = /^PVE:([^:]+):([0-9A-F]+)::(.+)$/.exec(ticket) ?? []
  const owner = datacentre.state.access.users[user]
  if (owner === undefined || !isActive(datacentre, owner)) return undefined
  return isSigned(datacentre, 'ticket', user, `${time}:${signature}`) ? user : undefined
}

function isSigned(datacentre: Datacentre, purpose: string, user: string, stamped: string): boolean {
  const [time = '', signature = ''] = stamped.split(/:(.*)/s)
  const age = nowSeconds(datacentre) - Number.parseInt(time, 16)
  return age > -300 && age < twoHours && same(sign(datacentre, purpose, user, time), signature)
}

function sign({ state }: Datacentre, purpose: string, user: string, time: string): string {
  return createHmac('sha256', state.access.secret).update(`${purpose}:${user}:${time}`).digest('base64')
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
