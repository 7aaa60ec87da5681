import { resolve } from 'node:path'
import { openStore } from '../../backup/open-store.js'
import type { SnapshotStore } from '../../backup/store.js'
import { PlanRefused } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import { resolveSecretRef } from '../../inventory/resolve-secret.js'
import type { SecretRef } from '../../inventory/secret-ref.js'
import type { SecretsFile } from '../../secrets/bundle.js'
import type { SecretsStore } from '../../secrets/store.js'
import { readVaultValue } from '../../secrets/vault/vault-value.js'
import { secretsStore } from '../../secrets-store.js'
import type { Context } from '../frame/context.js'

/** Where the snapshots of an inventory are, and the secrets that seal them. */
export interface BackupPlace {
  readonly store: SnapshotStore
  readonly secrets: SecretsStore
}

/** The store of the inventory, or the one that the user named. Snapshots of a lab have a separate folder. */
export async function openPlace(
  inventory: Inventory,
  { to, lab }: { readonly to: string | undefined; readonly lab: boolean },
  context: Context,
): Promise<BackupPlace> {
  const { env, cwd, stderr } = context
  const notify = (text: string) => void stderr.write(`note ${text}\n`)
  const secrets = secretsStore(inventory, { env, notify, isLab: lab })
  const { etcd } = inventory.settings.backup
  const named = to === undefined ? (lab ? 'backups.lab' : etcd.store) : to.startsWith('s3://') ? to : resolve(cwd, to)
  const s3 = named.startsWith('s3://') ? await s3Settings(inventory, secrets, env) : {}
  return { secrets, store: openStore(named, { folder: inventory.folder, s3, env }) }
}

/** The cluster secrets; required to seal or verify a snapshot. */
export async function getSecrets({ secrets }: BackupPlace): Promise<SecretsFile> {
  const file = await secrets.find()
  if (file !== undefined) return file
  throw new PlanRefused('The cluster has no secrets: there is nothing to back up, and no snapshot can be decrypted.', {
    where: secrets.location,
    fix: 'Build the cluster with `ichor up`, or restore its secrets from version control.',
  })
}

/** The recipients of the inventory or of the secrets file. Without any, the snapshot would not be encrypted. */
export async function recipientsOf(
  { settings, where }: Inventory,
  { secrets }: BackupPlace,
): Promise<readonly string[]> {
  const recipients = settings.backup.etcd.recipients ?? (await secrets.recipients())
  if (recipients.length > 0) return recipients
  throw new PlanRefused('There is no age recipient that the snapshot could be encrypted for.', {
    where: where('backup.etcd'),
    fix: 'Write public keys (age1…) into backup.etcd.recipients. Secrets that are kept plain or in Vault have none.',
  })
}

async function s3Settings({ settings, folder }: Inventory, secrets: SecretsStore, env: NodeJS.ProcessEnv) {
  const { endpoint, region, access_key: accessRef, secret_key: secretRef } = settings.backup.etcd
  const reveal = async (ref: SecretRef) =>
    resolveSecretRef(ref, {
      env,
      folder,
      values: ref.kind === 'secret' ? ((await secrets.find())?.memory.values ?? {}) : {},
      readVault: (reference) => readVaultValue(reference, env),
    })
  return {
    allowHttp: settings.allow_http,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(accessRef === undefined ? {} : { accessKey: await reveal(accessRef) }),
    ...(secretRef === undefined ? {} : { secretKey: await reveal(secretRef) }),
  }
}
