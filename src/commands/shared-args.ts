/** Arguments that several commands take, worded once. */
export const inventoryArg = {
  inventory: {
    type: 'list',
    short: 'i',
    placeholder: 'PATH',
    help: 'the inventory: a folder or a cluster.yaml; may be given several times',
  },
} as const

export const jsonArg = { json: { type: 'flag', help: 'the result as JSON on stdout' } } as const

export const yesArg = { yes: { type: 'flag', short: 'y', help: 'do not ask before changing anything' } } as const

export const labArg = {
  lab: {
    type: 'flag',
    help: 'use the lab instead of the real Proxmox; --lab=NAME uses a named one; ICHOR_LAB=1 is the same',
  },
} as const

export const forceUnlockArg = {
  forceUnlock: { type: 'flag', help: 'take over the lease of a run that is no longer alive' },
} as const
