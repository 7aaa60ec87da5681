import { type Seen, seen, unseen } from '../../cluster/seen.js'
import { reasonOf } from '../../errors.js'
import { isProxmoxError } from './proxmox-error.js'

/** What a narrow token may not query matters only if the inventory uses it. Otherwise it is left unchanged. */
export async function askUnlessForbidden<T>(
  ask: Promise<T>,
  isWanted: boolean,
  signal: AbortSignal,
): Promise<Seen<T> | undefined> {
  try {
    return seen(await ask)
  } catch (thrown) {
    signal.throwIfAborted()
    return isProxmoxError(thrown, 'forbidden') && !isWanted ? undefined : unseen(reasonOf(thrown))
  }
}
