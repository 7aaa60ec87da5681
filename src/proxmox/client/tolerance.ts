import type { ProxmoxErrorKind } from '../model/error-rule.js'
import { isProxmoxError } from '../model/proxmox-error.js'

/** `true` when it was made, `false` when it was there already. */
export async function unlessItExists(create: Promise<unknown>): Promise<boolean> {
  return (await ignoreError('exists', create, false)) !== false
}

/** Removing what is gone already is no failure. */
export async function unlessItIsGone(remove: Promise<unknown>): Promise<void> {
  await ignoreError('absent', remove, undefined)
}

/** The answer, or `otherwise` when Proxmox fails in this one way. */
export async function ignoreError<T, F>(kind: ProxmoxErrorKind, call: Promise<T>, otherwise: F): Promise<T | F> {
  try {
    return await call
  } catch (thrown) {
    if (isProxmoxError(thrown, kind)) return otherwise
    throw thrown
  }
}

/** When the answer is lost, looks whether it happened, and makes the call once more only if it did not. */
export async function retryIfUnknown(call: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<void> {
  try {
    await call()
  } catch (thrown) {
    if (!isProxmoxError(thrown) || thrown.outcome !== 'unknown') throw thrown
    if (!(await isDone())) await call()
  }
}
