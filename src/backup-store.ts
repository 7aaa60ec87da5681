import { openStore } from './backup/open-store.js'
import type { SnapshotStore } from './backup/store.js'
import type { Inventory } from './inventory/inventory.js'
import type { SecretsStore } from './secrets/store.js'
import type { AskDestination } from './trust/proxmox-door.js'
import { s3Keys } from './trust/s3-keys.js'
import { stateFile } from './trust/state-folder.js'

export interface BackupStoreOptions {
  readonly env: NodeJS.ProcessEnv
  readonly store: SecretsStore
  /** Folders of what this computer knows. */
  readonly state: readonly string[]
  /** The bucket is the operator's choice, not the inventory's. */
  readonly isNamed?: boolean
  /** Without it, an unconfirmed destination is refused. */
  readonly ask?: AskDestination
}

/** The only place that opens a store of snapshots: `s3://BUCKET/PREFIX`, or a folder. */
export async function openBackupStore(
  named: string,
  inventory: Inventory,
  { state, ...options }: BackupStoreOptions,
): Promise<SnapshotStore> {
  const confirmedHere = stateFile(state, 'bound-backup.json')
  const s3 = named.startsWith('s3://') ? await s3Keys(named, inventory, { ...options, confirmedHere }) : {}
  return openStore(named, { folder: inventory.folder, s3, env: options.env })
}
