/** Our credentials for Proxmox. A ticket is for the first setup by an administrator; runs use a token. */
export type Auth =
  | { readonly kind: 'token'; readonly id: string; readonly secret: string }
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
}

/** Tickets are valid for two hours and renewed after one. */
const renewAfterMs = 3_600_000

export function createAuthentication(
  auth: Auth,
  login: (user: string, password: string) => Promise<Ticket>,
  monotonic: () => number,
): Authentication {
  if (auth.kind === 'token') return tokenAuthentication(auth.id, auth.secret)
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

function tokenAuthentication(id: string, secret: string): Authentication {
  const headers = { Authorization: `PVEAPIToken=${id}=${secret}` }
  return { identity: id, headers: () => Promise.resolve(headers), renew: () => false }
}
