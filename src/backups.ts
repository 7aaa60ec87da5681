import { chooseEtcdSource } from './backup/etcd-source.js'
import { takeSnapshot } from './backup/take-snapshot.js'
import { type BackupStoreOptions, openBackupStore } from './backup-store.js'
import { clusterMarkId } from './cluster/identity.js'
import { labSnapshotStore } from './desired/snapshots.js'
import { noRecipient } from './findings/refusals/backups.js'
import type { Inventory } from './inventory/inventory.js'
import type { SecretsStore } from './secrets/store.js'
import type { TalosPort } from './talos/api/port.js'
import type { BackupPort, Clock } from './world.js'

export interface BackupOptions extends Pick<BackupStoreOptions, 'env' | 'state'> {
  readonly secrets: SecretsStore
  readonly talos: TalosPort
  readonly clock: Clock
  readonly isLab: boolean
}

/** etcd snapshots that a run takes before risky changes. They are stored with those of `ichor backup`. */
export function openBackups(inventory: Inventory, options: BackupOptions): BackupPort {
  const { settings, where } = inventory
  const { secrets, talos, clock, isLab } = options
  const named = isLab ? labSnapshotStore : settings.backup.etcd.store
  return {
    location: named,
    async reach(signal) {
      const store = await openBackupStore(named, inventory, { ...options, store: secrets })
      await store.list(signal)
    },
    async take({ recipients, controlPlanes, talosVersion, kubernetesVersion }, signal) {
      const file = await secrets.find()
      if (file === undefined) throw new Error('the cluster has no secrets yet')
      if (recipients.length === 0) {
        throw noRecipient.refuse('No age recipient is configured for etcd snapshots.', {
          subject: { kind: 'inventory', name: 'backup.etcd' },
          where: where('backup.etcd'),
          fix: 'Write public keys (age1…) into backup.etcd.recipients: an upgrade begins with a snapshot of etcd.',
        })
      }
      const source = await chooseEtcdSource({ talos, clock }, controlPlanes, settings.cluster_name, signal)
      const facts = {
        cluster: settings.cluster_name,
        clusterId: clusterMarkId(file.bundle.cluster.id),
        talosVersion,
        kubernetesVersion,
        etcdVersion: source.etcdVersion,
        members: source.members,
      }
      const store = await openBackupStore(named, inventory, { ...options, store: secrets })
      const { name } = await takeSnapshot(
        {
          store,
          stream: source.stream(signal),
          from: source.machine,
          facts,
          secrets: file,
          recipients,
          takenAt: new Date(),
        },
        signal,
      )
      return name
    },
  }
}
