/** Where a credential may be sent, as text throughout, so that it can be compared and shown. */
export interface Destination {
  /** `pve1.lan:8006`; for backups `https://s3.lan/bucket`. */
  readonly to: readonly string[]
  /** How the other end is verified: `system`, `insecure`, `fingerprint:AB:CD…` or `ca:` and its SHA-256. */
  readonly pin: string
  /** `socks5://host:port` or `ssh://user@host:port`; empty if there is nothing in between. */
  readonly via: string
}

/** What is remembered of it. */
export interface BoundTo extends Destination {
  /** One for each credential that it was confirmed for: who does not know the credential cannot make one. */
  readonly seals: readonly string[]
}

/** Also the addons that are given a secret. */
export const boundCredentials = ['proxmox', 'backup', 'argocd', 'flux', 'vector'] as const
export type BoundCredential = (typeof boundCredentials)[number]

export type Bindings = Readonly<Partial<Record<BoundCredential, BoundTo>>>

type Find = (path: string) => string | undefined

/** From texts by path. */
export function findBindings(find: Find): Bindings {
  const found = boundCredentials.flatMap((name) => {
    const bound = findBoundTo((key) => find(`${name}.bound_to.${key}`))
    return bound === undefined ? [] : [[name, bound] as const]
  })
  return Object.fromEntries(found)
}

function findBoundTo(find: Find): BoundTo | undefined {
  const [to, pin] = [find('to'), find('pin')]
  if (to === undefined || pin === undefined) return undefined
  return { to: to.split(' '), pin, via: find('via') ?? '', seals: find('seals')?.split(' ') ?? [] }
}

/** As written: every value is text. */
export function boundToTree({ to, pin, via, seals }: BoundTo): Readonly<Record<string, string>> {
  return { to: to.join(' '), pin, ...(via === '' ? {} : { via }), seals: seals.join(' ') }
}
