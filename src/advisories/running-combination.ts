import { ifSeen } from '../cluster/seen.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'
import type { Combination } from './combination.js'

/** Versions as they were seen. */
export function runningCombination({ settings }: Pick<Inventory, 'settings'>, observed: Observed): Combination {
  const versions = observed.machines.flatMap(({ talos }) => (talos.reach === 'secured' ? [talos.version] : []))
  const kubernetes = ifSeen(observed.kubernetes)
  return {
    talos: [...new Set(versions)],
    kubernetes: [...new Set(kubernetes?.nodes.map(({ kubeletVersion }) => kubeletVersion))],
    proxmox: [observed.proxmox.version.version],
    addons: Object.fromEntries(kubernetes?.addons.map(({ name, version }) => [name, version]) ?? []),
    settings,
  }
}
