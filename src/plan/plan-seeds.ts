import type { Observed } from '../observe/observed.js'
import { deleteMachine } from '../steps/delete-machine.js'
import { dropSeed } from '../steps/drop-seed.js'
import { fillMachine } from '../steps/fill-machine.js'
import { removeSeed } from '../steps/remove-seed.js'
import { nodeOfSeed } from '../vm/seed.js'
import { seenVolumes } from '../vm/storage-contents.js'
import type { Draft, StepRef } from './draft.js'

/**
 * Uploaded seeds of this cluster that no machine's step removes, because their machine was deleted or moved by hand.
 * Returns the steps that delete them.
 */
export function planForgottenSeeds(draft: Draft, observed: Observed): StepRef[] {
  const { cluster } = draft.desired
  if (cluster.id === undefined) return []
  const away = new Set(draft.desired.away.map(({ machine }) => machine.name))
  return seenVolumes(observed.proxmox).flatMap(({ host, volid }) => {
    const machine = nodeOfSeed(volid, cluster.id ?? '')
    if (machine === undefined || away.has(machine) || isCleanedUp(draft, machine)) return []
    const reason = `it contains the keys of the cluster, and ${machine} does not need it`
    return [draft.add(removeSeed, { host, volume: volid }, reason)]
  })
}

/** These steps remove every seed of their machine, on any storage. */
function isCleanedUp({ refIfPlanned }: Draft, machine: string): boolean {
  const cleaners = [
    refIfPlanned(fillMachine, { machine, isNew: true }),
    refIfPlanned(dropSeed, { machine, isNew: true }),
    refIfPlanned(deleteMachine, { machine }),
  ]
  return cleaners.some((ref) => ref !== undefined)
}
