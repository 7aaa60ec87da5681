import { chooseEtcdSource } from './backup/etcd-source.js'
import { openStore } from './backup/open-store.js'
import { takeSnapshot } from './backup/take-snapshot.js'
import { clusterMarkId } from './cluster/identity.js'
import { PlanRefused } from './errors.js'
import type { Inventory } from './inventory/inventory.js'
import type { SecretRef } from './inventory/secret-ref.js'
import type { SecretsStore } from './secrets/store.js'
import type { TalosPort } from './talos/api/port.js'
import type { BackupPort, Clock } from './world.js'

export interface BackupOptions {
  readonly secrets: SecretsStore
  readonly talos: TalosPort
  readonly clock: Clock
  readonly env: NodeJS.ProcessEnv
  readonly isLab: boolean
  reveal(ref: SecretRef): Promise<string>
}

/** etcd snapshots that a run takes before risky changes. They are stored with those of `ichor backup`. */
export function openBackups(inventory: Inventory, options: BackupOptions): BackupPort {
  const { settings, folder, where } = inventory
  const { secrets, talos, clock, env, isLab } = options
  const named = isLab ? 'backups.lab' : settings.backup.etcd.store
  return {
    location: named,
    async take({ controlPlanes, talosVersion, kubernetesVersion }, signal) {
      const file = await secrets.find()
      if (file === undefined) throw new Error('the cluster has no secrets yet')
      const recipients = settings.backup.etcd.recipients ?? (await secrets.recipients())
      if (recipients.length === 0) {
        throw new PlanRefused('There is no age recipient that a snapshot of etcd could be encrypted for.', {
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
      const s3 = named.startsWith('s3://') ? await s3Settings(settings.backup.etcd, options) : {}
      const { name } = await takeSnapshot(
        {
          store: openStore(named, { folder, s3, env }),
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

async function s3Settings(
  { endpoint, region, access_key, secret_key }: Inventory['settings']['backup']['etcd'],
  { reveal }: BackupOptions,
) {
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(access_key === undefined ? {} : { accessKey: await reveal(access_key) }),
    ...(secret_key === undefined ? {} : { secretKey: await reveal(secret_key) }),
  }
}
