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

/**
 * A complete token, or only its secret if the ID is set elsewhere. A complete token overrides that ID: both parts were
 * written together.
 */
export function parseToken(text: string, id: string | undefined): ApiToken | undefined {
  const [, ownId, ownSecret] = /^([^@!\s]+@[^@!\s]+![^@!\s=]+)=(\S+)$/.exec(text) ?? []
  if (ownId !== undefined && ownSecret !== undefined) return { id: ownId, secret: ownSecret }
  return id === undefined ? undefined : { id, secret: text }
}
