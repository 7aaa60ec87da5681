import { resolve } from 'node:path'
import type { SnapshotStore } from '../../backup/store.js'
import { openBackupStore } from '../../backup-store.js'
import { noRecipient, nothingToBackUp } from '../../findings/refusals/backups.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { SecretsFile } from '../../secrets/bundle.js'
import { openClusterLock } from '../../secrets/cluster-lock.js'
import type { SecretsStore } from '../../secrets/store.js'
import { secretsStore } from '../../secrets-store.js'
import { stateFolders } from '../../trust/state-folder.js'
import type { Context } from '../frame/context.js'
import { askDestination } from '../open-world.js'

/** Where the snapshots of an inventory are, and the secrets that seal them. */
export interface BackupPlace {
  readonly store: SnapshotStore
  readonly secrets: SecretsStore
}

/** The store of the inventory, or the one that the user named. Snapshots of a lab have a separate folder. */
export async function openPlace(
  inventory: Inventory,
  { to, lab, mayAsk = true }: { readonly to: string | undefined; readonly lab: boolean; readonly mayAsk?: boolean },
  context: Context,
): Promise<BackupPlace> {
  const { env, cwd, stderr } = context
  const notify = (text: string) => void stderr.write(`note ${text}\n`)
  const secrets = secretsStore(inventory, { env, notify, isLab: lab })
  const { etcd } = inventory.settings.backup
  const named = to === undefined ? (lab ? 'backups.lab' : etcd.store) : to.startsWith('s3://') ? to : resolve(cwd, to)
  const clusterId = await openClusterLock(inventory.folder, lab).find()
  const store = await openBackupStore(named, inventory, {
    env,
    store: secrets,
    state: stateFolders({ folder: inventory.folder, clusterId }, env),
    isNamed: to !== undefined,
    ...(mayAsk && context.stdin.isTTY === true ? { ask: (unknown) => askDestination(unknown, context) } : {}),
  })
  return { secrets, store }
}

/** The cluster secrets; required to seal or verify a snapshot. */
export async function getSecrets({ secrets }: BackupPlace): Promise<SecretsFile> {
  const file = await secrets.find()
  if (file !== undefined) return file
  throw nothingToBackUp.refuse(
    'The cluster has no secrets: there is nothing to back up, and no snapshot can be decrypted.',
    {
      subject: { kind: 'inventory', name: secrets.location },
      where: secrets.location,
      fix: 'Build the cluster with `ichor up`, or restore its secrets from version control.',
    },
  )
}

/** The recipients of the inventory or of the secrets file. Without any, the snapshot would not be encrypted. */
export async function recipientsOf(
  { settings, where }: Inventory,
  { secrets }: BackupPlace,
): Promise<readonly string[]> {
  const recipients = settings.backup.etcd.recipients ?? (await secrets.find())?.recipients ?? []
  if (recipients.length > 0) return recipients
  throw noRecipient.refuse('No age recipient is configured for etcd snapshots.', {
    subject: { kind: 'inventory', name: 'backup.etcd' },
    where: where('backup.etcd'),
    fix: 'Write public keys (age1…) into backup.etcd.recipients. Secrets that are kept plain or in Vault have none.',
  })
}
