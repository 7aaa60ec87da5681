import type { Inventory } from '../inventory/inventory.js'
import type { SecretsFile } from '../secrets/bundle.js'
import type { Patch } from '../talos/config/talos-machine.js'

/** What is asked for: the inventory, what the secrets file says, and how far to go. */
export interface Wish {
  readonly inventory: Inventory
  readonly secrets: SecretsFile | undefined
  readonly patches: PatchTexts
  readonly until: 'vms' | 'bootstrap' | 'addons' | 'healthy'
}

/** Patches of the inventory, read from their files, by level. */
export interface PatchTexts {
  readonly cluster: readonly Patch[]
  readonly controlPlane: readonly Patch[]
  readonly worker: readonly Patch[]
  readonly pools: Readonly<Record<string, readonly Patch[]>>
  readonly nodes: Readonly<Record<string, readonly Patch[]>>
}
