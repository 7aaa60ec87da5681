import type { PlannedAddon } from '../addons/planned-addon.js'
import type { PinnedDigests } from '../cluster/pinned-digests.js'
import type { Inventory } from '../inventory/inventory.js'
import type { PatchTexts } from '../inventory/patches.js'
import type { SecretsFile } from '../secrets/bundle.js'
import type { DesiredRotation } from './desired.js'

/** The request: the inventory, the secrets, and how far to go. */
export interface ClusterSpec {
  readonly inventory: Inventory
  readonly secrets: SecretsFile | undefined
  readonly patches: PatchTexts
  /** In the order of their dependencies. */
  readonly addons: readonly PlannedAddon[]
  /** Content types may be enabled on storages. */
  readonly mayEnableContent?: boolean
  /** The old etcd is lost and given up: a new, empty one may replace it. */
  readonly newEtcd?: boolean
  /** Why unwanted machines leave, by name; replaces the default reason in a plan. */
  readonly leaving?: Readonly<Record<string, string>>
  /** Machines whose VM this run replaces, by name: the ID of the run, which is stored in their marks. */
  readonly replacing?: Readonly<Record<string, string>>
  /** Machines that this run reboots, by name: the ID of the run. */
  readonly rebooting?: Readonly<Record<string, string>>
  /** The key that this run replaces. */
  readonly rotating?: DesiredRotation
  /** Digests of the lock file: Proxmox refuses images with other digests. */
  readonly locked?: PinnedDigests
  /** Machines may be rolled back to the Talos in their other boot slot. */
  readonly rollback?: boolean
  /** Built in a lab. */
  readonly isLab?: boolean
  readonly until: 'vms' | 'bootstrap' | 'addons' | 'healthy'
}
