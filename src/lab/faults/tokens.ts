import { defineEnd, defineFault, type FaultOptions } from './define-fault.js'
import { matchOptions, ruleFor } from './requests.js'

const restoreToken = defineEnd({
  name: 'restore-token',
  takes: ['token'],
  run: ({ proxmox }, { token = proxmox.tokenId }) => {
    proxmox.trouble.revokeToken(token, false)
    proxmox.trouble.narrowToken(token, [])
  },
})

/** With options that choose requests, it happens to the token of the first one that matches. */
function waitsForRequest(options: FaultOptions): boolean {
  return matchOptions.some((name) => options[name] !== undefined)
}

export const revokeToken = defineFault({
  name: 'revoke-token',
  subject: 'token',
  effect: 'it gets 401; at once, or from a request on (`--nth 7`: from the seventh change)',
  takes: ['token', ...matchOptions],
  end: restoreToken,
  run: ({ proxmox, faults }, options) => {
    if (waitsForRequest(options)) faults.add(ruleFor(options, { kind: 'revoke-token' }))
    else proxmox.trouble.revokeToken(options.token ?? proxmox.tokenId)
  },
})

export const narrowToken = defineFault({
  name: 'narrow-token',
  subject: 'token',
  effect: 'it loses `--privileges` and gets 403 for them; at once, or from a request on',
  needs: ['privileges'],
  takes: ['token', ...matchOptions],
  end: restoreToken,
  run: ({ proxmox, faults }, { privileges, ...options }) => {
    if (waitsForRequest(options)) faults.add(ruleFor(options, { kind: 'narrow-token', privileges }))
    else proxmox.trouble.narrowToken(options.token ?? proxmox.tokenId, privileges)
  },
})
