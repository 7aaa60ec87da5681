import type { BoundTo, Destination } from '../secrets/bound-to.js'
import type { SecretsStore } from '../secrets/store.js'
import { isSealedWith, sealed } from './bound-seal.js'
import type { Door } from './proxmox-door.js'

export interface BindingOptions {
  readonly store: SecretsStore
  /** The secret of the token, if it is known. */
  readonly credential: string | undefined
  /** An administrator may move the binding without a question; a variable of another user's pipeline may not. */
  readonly isAdministrator: boolean
}

/** What the secrets say, unless it was written for another token. */
export async function findProxmoxBinding({
  store,
  credential,
}: Pick<BindingOptions, 'store' | 'credential'>): Promise<BoundTo | undefined> {
  const bound = (await store.find())?.memory.boundTo?.proxmox
  return bound !== undefined && credential !== undefined && isSealedWith('proxmox', bound, credential)
    ? bound
    : undefined
}

/** Writes down where the token went, once there are secrets; also for tokens that were made since. */
export async function keepProxmoxBinding(
  door: Door,
  { store, credential, isAdministrator }: BindingOptions,
  fresh: readonly string[] = [],
): Promise<void> {
  const stored = (await store.find())?.memory
  const credentials = [...fresh, ...(credential === undefined ? [] : [credential])]
  if (stored === undefined || credentials.length === 0) return
  const bound = stored.boundTo?.proxmox
  const valid = await findProxmoxBinding({ store, credential })
  const destination = valid !== undefined && staysAsItIs(door, isAdministrator) ? valid : door.destination
  if (
    bound !== undefined &&
    isSame(bound, destination) &&
    credentials.every((one) => isSealedWith('proxmox', bound, one))
  )
    return
  await store.remember({ boundTo: { proxmox: sealed('proxmox', destination, credentials, bound) } })
}

function staysAsItIs({ by }: Door, isAdministrator: boolean): boolean {
  return by === 'secrets' || (by === 'environment' && !isAdministrator)
}

function isSame(one: Destination, other: Destination): boolean {
  return one.to.join(' ') === other.to.join(' ') && one.pin === other.pin && one.via === other.via
}
