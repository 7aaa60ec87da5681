/** Arguments that several commands share. */
export const inventoryArg = {
  inventory: {
    type: 'list',
    short: 'i',
    placeholder: 'PATH',
    help: 'the inventory: a folder or a cluster.yaml; can be repeated',
  },
} as const

export const jsonArg = { json: { type: 'flag', help: 'print the result as JSON' } } as const

export const yesArg = { yes: { type: 'flag', short: 'y', help: 'do not ask for confirmation' } } as const

export const labArg = {
  lab: {
    type: 'flag',
    help: 'use the lab instead of the real Proxmox; --lab=NAME uses a named one; ICHOR_LAB=1 is the same',
  },
} as const

export const acceptArg = {
  accept: {
    type: 'list',
    placeholder: 'ID',
    help: 'go on in spite of this advisory; can be repeated',
  },
} as const

export const dryRunArg = { dryRun: { type: 'flag', help: 'show the plan; change nothing' } } as const

export const stepsArg = {
  steps: { type: 'flag', help: 'with --dry-run: show every step with its reason' },
} as const

export const forceUnlockArg = {
  forceUnlock: { type: 'flag', help: 'take over the lease of a run that has ended' },
} as const
