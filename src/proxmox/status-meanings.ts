import type { Meaning } from './meaning.js'

/** What a status means where the words tell nothing; a decisive one means it whatever the words are. */
type StatusMeaning = Meaning & { readonly isDecisive: boolean }

const anything = { says: /$/ }

const slow: StatusMeaning = {
  ...anything,
  kind: 'timed-out',
  means: () => 'The host that the call is for did not answer in time.',
  fix: 'It may still be working on it: run the command again, it looks first.',
  passes: true,
  isDecisive: true,
}

export const statusMeanings: ReadonlyMap<number, StatusMeaning> = new Map([
  [
    400,
    {
      ...anything,
      kind: 'invalid',
      means: () => 'Proxmox does not accept a value.',
      fix: 'Correct the value in the inventory. If it comes from ichor itself, please report this.',
      isDecisive: false,
    },
  ],
  [
    401,
    {
      ...anything,
      kind: 'unauthenticated',
      means: () => 'Proxmox does not accept the credentials.',
      fix: 'Check PROXMOX_VE_API_TOKEN (USER@REALM!NAME=SECRET), that the token has not expired and that its user is enabled.',
      isDecisive: true,
    },
  ],
  [
    403,
    {
      ...anything,
      kind: 'forbidden',
      means: () => 'The token lacks a privilege for this.',
      fix: 'Run "ichor access check" to see what it lacks, and "ichor access" as an administrator to grant it.',
      isDecisive: false,
    },
  ],
  [
    501,
    {
      ...anything,
      kind: 'unknown-call',
      means: () => 'This Proxmox does not know the call.',
      fix: 'Upgrade the host: ichor needs Proxmox VE 8.4 or later, and 8.0 for all but image boot.',
      isDecisive: true,
    },
  ],
  [
    595,
    {
      ...anything,
      kind: 'host-down',
      means: () => 'The host that the call is for cannot be reached from the one that was asked.',
      fix: 'Bring the host back, or take it out of the inventory (proxmox.target_nodes, placement.avoid).',
      passes: true,
      isDecisive: true,
    },
  ],
  ...[502, 503, 504, 596, 597, 598, 599].map((status) => [status, slow] as const),
])

export const unknownMeaning: Meaning = {
  ...anything,
  kind: 'other',
  means: () => 'The call failed.',
  fix: 'Read what Proxmox said; the task list and journal of the host tell more. Then run the command again.',
}
