import type { ErrorRule } from '../../model/error-rule.js'
import { isProxmoxError, ProxmoxError } from '../../model/proxmox-error.js'
import { fieldsOf } from '../fields.js'
import type { ProxmoxApi } from './api.js'
import type { Ticket } from './authentication.js'

const path = '/access/ticket'

const wrongPassword: ErrorRule = {
  kind: 'unauthenticated',
  pattern: /$/,
  message: () => 'Proxmox does not accept user and password.',
  fix: 'Check the user, with its realm as in root@pam, and the password.',
}

const secondFactor: ErrorRule = {
  kind: 'unauthenticated',
  pattern: /$/,
  message: () => 'The user needs a second factor, which ichor does not support.',
  fix: 'Use an administrator without one, or create the token in the web interface and check it with "ichor access check".',
}

/** A ticket for a user and a password, requested without credentials. */
export async function logIn(door: ProxmoxApi, user: string, password: string, signal: AbortSignal): Promise<Ticket> {
  const data = await ask(door, user, password, signal)
  const { ticket, CSRFPreventionToken: csrf, NeedTFA: needsMore } = fieldsOf(data)
  if (!needsMore && typeof ticket === 'string' && typeof csrf === 'string') return { ticket, csrf }
  throw refused(needsMore ? `${user} has a second factor` : 'no ticket in the answer', secondFactor)
}

async function ask(door: ProxmoxApi, username: string, password: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await door.post(path, { username, password }, signal)
  } catch (thrown) {
    throw isProxmoxError(thrown, 'unauthenticated') ? refused(thrown.reason, wrongPassword) : thrown
  }
}

function refused(reason: string, rule: ErrorRule): ProxmoxError {
  return new ProxmoxError({ method: 'POST', path, status: 401, reason, outcome: 'failed', rule })
}
