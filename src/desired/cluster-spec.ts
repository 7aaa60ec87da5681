import type { PlannedAddon } from '../addons/planned-addon.js'
import type { PinnedDigests } from '../cluster/pinned-digests.js'
import type { Inventory } from '../inventory/inventory.js'
import type { PatchTexts } from '../inventory/patches.js'
import type { SecretsFile } from '../secrets/bundle.js'
import type { RunIntent } from './run-intent.js'

/** The request: the inventory, the secrets, and how far to go. */
export interface ClusterSpec {
  readonly inventory: Inventory
  readonly secrets: SecretsFile | undefined
  readonly patches: PatchTexts
  /** In the order of their dependencies. */
  readonly addons: readonly PlannedAddon[]
  /** Content types may be enabled on storages. */
  readonly mayEnableContent?: boolean
  readonly intent: RunIntent
  /** Digests of the lock file: Proxmox refuses images with other digests. */
  readonly locked?: PinnedDigests
  /** Built in a lab. */
  readonly isLab?: boolean
  readonly until: 'vms' | 'bootstrap' | 'addons' | 'healthy'
}
