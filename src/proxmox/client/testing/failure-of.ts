import { ProxmoxError } from '../../model/proxmox-error.js'

/** The failure of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<ProxmoxError> {
  const thrown = await call.then(
    () => new Error('it went well'),
    (reason: unknown) => reason,
  )
  if (thrown instanceof ProxmoxError) return thrown
  throw thrown
}
