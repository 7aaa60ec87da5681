import type { Observed } from '../observe/observed.js'
import type { Draft } from './draft.js'

/** Addons as early as their needs allow; then the nodes turn Ready. */
export function planAddons(draft: Draft, observed: Observed): void {
  for (const wanted of draft.desired.machines) {
    const machine = wanted.machine.name
    const node = observed.machines.find(({ name }) => name === machine)?.node
    if (node?.ready) continue
    draft.add('await-ready', { machine }, 'it takes no work yet', ['await-kubernetes', `join-node:${machine}`])
  }
}
