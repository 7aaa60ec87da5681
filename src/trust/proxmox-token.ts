import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { SecretRef } from '../inventory/secret-ref.js'
import { type ApiToken, parseToken } from '../proxmox/model/api-token.js'
import type { Reveal } from './reveal.js'

/** Where the secret of the token comes from, for an error. */
export function tokenSource(ref: SecretRef | undefined): string {
  if (ref === undefined || ref.kind === 'plain') return 'proxmox.token_secret in the inventory'
  if (ref.kind === 'env') return `the environment variable ${ref.name}`
  if (ref.kind === 'file') return `the file ${ref.path}`
  return ref.kind === 'secret' ? `${ref.name} in the secrets of the cluster` : ref.reference
}

/** The token of the inventory, for `openProxmoxDoor` to say where it may be sent. */
export async function proxmoxToken({ settings: { proxmox }, where }: Inventory, reveal: Reveal): Promise<ApiToken> {
  const { token_secret: ref, token_id: id } = proxmox
  const token = ref === undefined ? undefined : parseToken(await reveal(ref, 'proxmox-token'), id)
  if (token === undefined) throw incomplete(ref !== undefined, where('proxmox'))
  if (isTokenSecret(token.secret)) return token
  throw new UsageError('What proxmox.token_secret refers to is not the secret of an API token.', {
    where: where('proxmox'),
    fix: 'Refer to the UUID that Proxmox showed when the token was made, or to user@realm!name=UUID. ichor access makes a token.',
  })
}

/** Proxmox makes them, and no other kind: another secret that the inventory refers to is not sent. */
export function isTokenSecret(secret: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(secret)
}

function incomplete(isHalf: boolean, where: string): UsageError {
  return new UsageError(isHalf ? 'The API token for Proxmox has no id.' : 'There is no API token for Proxmox.', {
    where,
    fix: isHalf
      ? 'Set proxmox.token_id, or write the token behind proxmox.token_secret as user@realm!name=secret.'
      : 'Set proxmox.token_secret, or PROXMOX_VE_API_TOKEN. ichor access creates a token with the least privileges.',
  })
}
