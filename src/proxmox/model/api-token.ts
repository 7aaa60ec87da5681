/** An API token with its secret. */
export interface ApiToken {
  /** `ichor-dev@pve!ichor`. */
  readonly id: string
  readonly secret: string
}

/** `user@realm!name=secret`, as PROXMOX_VE_API_TOKEN has it. */
export function formatToken({ id, secret }: ApiToken): string {
  return `${id}=${secret}`
}

/** A whole token, or only its secret where the id stands elsewhere. The whole outranks that id: both were written at once. */
export function parseToken(text: string, id: string | undefined): ApiToken | undefined {
  const [, ownId, ownSecret] = /^([^@!\s]+@[^@!\s]+![^@!\s=]+)=(\S+)$/.exec(text) ?? []
  if (ownId !== undefined && ownSecret !== undefined) return { id: ownId, secret: ownSecret }
  return id === undefined ? undefined : { id, secret: text }
}
