import type { ProxmoxErrorKind } from '../model/error-rule.js'
import { isProxmoxError } from '../model/proxmox-error.js'

/** `true` if it was created, `false` if it already exists. */
export async function unlessItExists(create: Promise<unknown>): Promise<boolean> {
  return (await ignoreError('exists', create, false)) !== false
}

/** Removing what does not exist is not an error. */
export async function unlessItIsGone(remove: Promise<unknown>): Promise<void> {
  await ignoreError('absent', remove, undefined)
}

/** The result, or `otherwise` if Proxmox fails in this way. */
export async function ignoreError<T, F>(kind: ProxmoxErrorKind, call: Promise<T>, otherwise: F): Promise<T | F> {
  try {
    return await call
  } catch (thrown) {
    if (isProxmoxError(thrown, kind)) return otherwise
    throw thrown
  }
}

/** If the response is lost, checks whether the call took effect, and repeats it once only if it did not. */
export async function retryIfUnknown(call: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<void> {
  try {
    await call()
  } catch (thrown) {
    if (!isProxmoxError(thrown) || thrown.outcome !== 'unknown') throw thrown
    if (!(await isDone())) await call()
  }
}
