import type { PlannedAddon } from '../addons/planned-addon.js'
import type { LockedBits } from '../cluster/locked-bits.js'
import type { Inventory } from '../inventory/inventory.js'
import type { PatchTexts } from '../inventory/patches.js'
import type { SecretsFile } from '../secrets/bundle.js'
import type { DesiredRotation } from './desired.js'

/** What is asked for: the inventory, what the secrets file says, and how far to go. */
export interface ClusterSpec {
  readonly inventory: Inventory
  readonly secrets: SecretsFile | undefined
  readonly patches: PatchTexts
  /** In the order of their needs. */
  readonly addons: readonly PlannedAddon[]
  /** Storages may be asked to allow what is needed. */
  readonly mayEnableContent?: boolean
  /** The old etcd is lost and given up: a new, empty one may take its place. */
  readonly newEtcd?: boolean
  /** Why machines that are not wanted any more go, by name: in place of what a plan would say. */
  readonly leaving?: Readonly<Record<string, string>>
  /** Machines whose VM this run replaces, by name: the id of the run, which their marks then carry. */
  readonly replacing?: Readonly<Record<string, string>>
  /** Machines that this run reboots, by name: the id of the run. */
  readonly rebooting?: Readonly<Record<string, string>>
  /** The key that this run replaces. */
  readonly rotating?: DesiredRotation
  /** Digests of the lock file: images of other bytes are refused by Proxmox. */
  readonly locked?: LockedBits
  /** Machines may go back to the Talos in their other boot slot. */
  readonly rollback?: boolean
  readonly until: 'vms' | 'bootstrap' | 'addons' | 'healthy'
}
