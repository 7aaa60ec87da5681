import type { ClusterSpec } from './cluster-spec.js'
import type { DesiredSnapshots } from './desired.js'

/** Snapshots of a lab are kept apart from those of the cluster. */
export const labSnapshotStore = 'backups.lab'

/** Where snapshots of etcd are stored, and who can decrypt them. */
export function snapshotsOf({ inventory, secrets, isLab }: ClusterSpec): DesiredSnapshots {
  const {
    store,
    endpoint,
    region,
    recipients,
    access_key: accessKey,
    secret_key: secretKey,
  } = inventory.settings.backup.etcd
  const ofSecrets = secrets?.recipients ?? []
  return {
    store: isLab === true ? labSnapshotStore : store,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(store.startsWith('s3://') ? { credentials: { accessKey, secretKey } } : {}),
    recipients: recipients ?? ofSecrets,
    secretsFor: ofSecrets,
  }
}
