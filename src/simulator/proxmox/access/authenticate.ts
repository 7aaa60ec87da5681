import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../api-error.js'
import { type Datacenter, nowSeconds } from '../datacenter.js'
import type { UserState } from '../state.js'
import type { Identity } from './permissions.js'

const twoHours = 7200

/** Refusals have no body and are delayed: the original slows guessing down. */
function refused(reason: string): ApiError {
  return new ApiError(401, reason, { emptyBody: true })
}

/** Since 8.4.17 a 401 does not state what is wrong with a ticket or token. */
function refusedBecause({ saysWhyRefused }: Datacenter, why: string): ApiError {
  return refused(saysWhyRefused ? why : 'Authentication failed!')
}

export interface Credentials {
  readonly cookie?: string
  readonly authorization?: string
  readonly csrf?: string
}

/** The caller, or a 401. A ticket takes precedence over a token; tickets need the CSRF token for changes. */
export function authenticate(
  datacenter: Datacenter,
  { cookie, authorization, csrf }: Credentials,
  needsCsrf: boolean,
): Identity {
  const ticket =
    /(?:^|[;\s])PVEAuthCookie=([^;]*)/.exec(cookie ?? '')?.[1] ??
    /^PVEAuthCookie[= ](.*)$/.exec(authorization ?? '')?.[1]
  if (ticket !== undefined && ticket !== '') {
    const user = userOfTicket(datacenter, decode(ticket))
    if (user === undefined) throw refusedBecause(datacenter, 'permission denied - invalid PVE ticket')
    if (needsCsrf && !isSigned(datacenter, 'csrf', user, csrf ?? ''))
      throw refused('Permission denied - invalid csrf token')
    return { user }
  }
  const token = /^PVEAPIToken[= ](.*)$/.exec(authorization ?? '')?.[1]
  if (token === undefined) throw refused('No ticket')
  return identityOfToken(datacenter, decode(token))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function identityOfToken(datacenter: Datacenter, text: string): Identity {
  const [, name = '', secret] = /^([^=]*)(?:=(.*))?$/.exec(text) ?? []
  const [user = '', token = ''] = name.split('!')
  const why = complaintAbout(datacenter, { name, user, token, secret })
  if (why !== undefined) throw refusedBecause(datacenter, why)
  return { user, token }
}

function complaintAbout(
  datacenter: Datacenter,
  { name, user, token, secret }: { name: string; user: string; token: string; secret: string | undefined },
): string | undefined {
  if (secret === undefined) return 'no tokenid specified'
  if (token === '') return `'${name}' is not a valid token ID - not able to split into user and token parts`
  const owner = datacenter.state.access.users[user]
  if (owner === undefined) return `no such user ('${user}')`
  if (!owner.enable) return `user '${user}' is disabled`
  if (isPast(datacenter, owner.expire)) return `user '${user}' access expired`
  const found = owner.tokens[token]
  if (found === undefined || datacenter.state.access.revoked?.includes(name) === true)
    return `no such token '${token}' for user '${user}'`
  if (isPast(datacenter, found.expire)) return `token '${token}' access expired`
  return same(found.secret, secret) ? undefined : 'invalid token value!'
}

/** Zero means never. */
function isPast(datacenter: Datacenter, moment: number): boolean {
  return moment !== 0 && moment <= nowSeconds(datacenter)
}

export function isActive(datacenter: Datacenter, user: UserState): boolean {
  return user.enable && !isPast(datacenter, user.expire)
}

export function makeTicket(datacenter: Datacenter, user: string): { ticket: string; csrf: string } {
  const time = nowSeconds(datacenter).toString(16).toUpperCase()
  return {
    ticket: `PVE:${user}:${time}::${sign(datacenter, 'ticket', user, time)}`,
    csrf: `${time}:${sign(datacenter, 'csrf', user, time)}`,
  }
}

/** The user of a valid ticket of ours. */
export function userOfTicket(datacenter: Datacenter, ticket: string): string | undefined {
  const [, user = '', time = '', signature = ''] = /^PVE:([^:]+):([0-9A-F]+)::(.+)$/.exec(ticket) ?? []
  const owner = datacenter.state.access.users[user]
  if (owner === undefined || !isActive(datacenter, owner)) return undefined
  return isSigned(datacenter, 'ticket', user, `${time}:${signature}`) ? user : undefined
}

function isSigned(datacenter: Datacenter, purpose: string, user: string, stamped: string): boolean {
  const [time = '', signature = ''] = stamped.split(/:(.*)/s)
  const age = nowSeconds(datacenter) - Number.parseInt(time, 16)
  return age > -300 && age < twoHours && same(sign(datacenter, purpose, user, time), signature)
}

function sign({ state }: Datacenter, purpose: string, user: string, time: string): string {
  return createHmac('sha256', state.access.secret).update(`${purpose}:${user}:${time}`).digest('base64')
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
