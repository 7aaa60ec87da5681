import { clusterMarkId } from '../cluster/identity.js'
import type { ClusterLock } from './cluster-lock.js'
import type { SecretsStore } from './store.js'

/** Secrets that are refused when they are not those of the cluster that the lock names: a whole file can be replaced. */
export function bindStore(store: SecretsStore, lock: ClusterLock): SecretsStore {
  return {
    location: store.location,
    find: async () => {
      const file = await store.find()
      if (file !== undefined) await lock.check(clusterMarkId(file.bundle.cluster.id))
      return file
    },
    create: async (file) => {
      // Secrets that are there already are the store's to refuse.
      if ((await store.find()) === undefined) await lock.check(clusterMarkId(file.bundle.cluster.id))
      await store.create(file)
      await lock.bind(clusterMarkId(file.bundle.cluster.id))
    },
    remember: async (change) => {
      const file = await store.find()
      if (file !== undefined) await lock.bind(clusterMarkId(file.bundle.cluster.id))
      await store.remember(change)
    },
    remove: async () => {
      await store.remove()
      await lock.release()
    },
    recipients: () => store.recipients(),
  }
}
