import type { ProxmoxErrorKind } from './meaning.js'
import { isProxmoxError } from './proxmox-error.js'

/** `true` when it was made, `false` when it was there already. */
export async function unlessItExists(create: Promise<unknown>): Promise<boolean> {
  return (await unless('exists', create, false)) !== false
}

/** Removing what is gone already is no failure. */
export async function unlessItIsGone(remove: Promise<unknown>): Promise<void> {
  await unless('absent', remove, undefined)
}

/** The answer, or `otherwise` when Proxmox fails in this one way. */
export async function unless<T, F>(kind: ProxmoxErrorKind, call: Promise<T>, otherwise: F): Promise<T | F> {
  try {
    return await call
  } catch (thrown) {
    if (isProxmoxError(thrown, kind)) return otherwise
    throw thrown
  }
}
