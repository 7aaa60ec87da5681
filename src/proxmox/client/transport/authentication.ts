import type { ErrorRule } from '../../model/error-rule.js'

/** Our credentials for Proxmox. A ticket is for the first setup by an administrator; runs use a token. */
export type Auth =
  | {
      readonly kind: 'token'
      readonly id: string
      readonly secret: string
      /** Where the token comes from, for an error: `file:token`. */
      readonly source?: string
    }
  | { readonly kind: 'ticket'; readonly user: string; readonly password: string }

export interface Ticket {
  readonly ticket: string
  readonly csrf: string
}

export interface Authentication {
  /** Our name in task lists: `user@realm!token` or `user@realm`. */
  readonly identity: string
  headers(isRead: boolean): Promise<Readonly<Record<string, string>>>
  /** After a 401: whether a retry makes sense because the ticket has expired. */
  renew(): boolean
  /** What a 401 means, if more is known about the credentials than their kind. */
  readonly refusal?: ErrorRule
}

/** Tickets are valid for two hours and renewed after one. */
const renewAfterMs = 3_600_000

export function createAuthentication(
  auth: Auth,
  login: (user: string, password: string) => Promise<Ticket>,
  monotonic: () => number,
): Authentication {
  if (auth.kind === 'token') return tokenAuthentication(auth)
  let current: { ticket: Promise<Ticket>; since: number } | undefined

  const ticket = (): Promise<Ticket> => {
    if (current === undefined || monotonic() - current.since > renewAfterMs) {
      const fresh = { ticket: login(auth.user, auth.password), since: monotonic() }
      current = fresh
      fresh.ticket.catch(() => {
        if (current === fresh) current = undefined
      })
    }
    return current.ticket
  }

  return {
    identity: auth.user,
    headers: async (isRead) => {
      const { ticket: value, csrf } = await ticket()
      const cookie = { Cookie: `PVEAuthCookie=${encodeURIComponent(value)}` }
      return isRead ? cookie : { ...cookie, CSRFPreventionToken: csrf }
    },
    renew: () => {
      current = undefined
      return true
    },
  }
}

function tokenAuthentication({ id, secret, source }: Extract<Auth, { kind: 'token' }>): Authentication {
  const headers = { Authorization: `PVEAPIToken=${id}=${secret}` }
  const known = source === undefined ? {} : { refusal: refusedToken(id, source) }
  return { identity: id, headers: () => Promise.resolve(headers), renew: () => false, ...known }
}

function refusedToken(id: string, source: string): ErrorRule {
  return {
    kind: 'unauthenticated',
    pattern: /$/,
    message: () => `Proxmox does not accept the token ${id}.`,
    fix: `Its secret comes from ${source}: check that it belongs to ${id}, that the token has not expired and that its user is enabled. ichor access makes a new one.`,
  }
}
