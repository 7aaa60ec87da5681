import type { ErrorRule } from './error-rule.js'

/** The meaning of a status if the message is unknown; a decisive status applies whatever the message. */
type StatusRule = ErrorRule & { readonly isDecisive: boolean }

const anything = { pattern: /$/ }

const slow: StatusRule = {
  ...anything,
  kind: 'timed-out',
  message: () => 'The host that the call is for did not answer in time.',
  fix: 'The request may still be in progress: run the command again.',
  isTransient: true,
  isDecisive: true,
}

export const statusRules: ReadonlyMap<number, StatusRule> = new Map([
  [
    400,
    {
      ...anything,
      kind: 'invalid',
      message: () => 'Proxmox does not accept a value.',
      fix: 'Correct the value in the inventory. If it comes from ichor itself, please report this.',
      isDecisive: false,
    },
  ],
  [
    401,
    {
      ...anything,
      kind: 'unauthenticated',
      message: () => 'Proxmox does not accept the credentials.',
      fix: 'Check PROXMOX_VE_API_TOKEN (USER@REALM!NAME=SECRET), that the token has not expired and that its user is enabled.',
      isDecisive: true,
    },
  ],
  [
    403,
    {
      ...anything,
      kind: 'forbidden',
      message: () => 'The token lacks a privilege for this.',
      fix: 'Run "ichor access check" to see what it lacks, and "ichor access" as an administrator to grant it.',
      isDecisive: false,
    },
  ],
  [
    501,
    {
      ...anything,
      kind: 'unknown-call',
      message: () => 'This Proxmox does not know the call.',
      fix: 'Upgrade the host: ichor needs Proxmox VE 8.4 or later, and 8.0 for all but image boot.',
      isDecisive: true,
    },
  ],
  [
    595,
    {
      ...anything,
      kind: 'host-down',
      message: () => 'The target host cannot be reached from the Proxmox host that received the request.',
      fix: 'Bring the host back, or exclude it in the inventory (proxmox.target_nodes, placement.avoid).',
      isTransient: true,
      isDecisive: true,
    },
  ],
  ...[502, 503, 504, 596, 597, 598, 599].map((status) => [status, slow] as const),
])

export const unknownErrorRule: ErrorRule = {
  ...anything,
  kind: 'other',
  message: () => 'The call failed.',
  fix: 'See the message of Proxmox, and the task list and journal of the host. Then run the command again.',
}
