import { clusterMarkId } from '../cluster/identity.js'
import type { ClusterLock } from './cluster-lock.js'
import type { SecretsStore } from './store.js'

/** Refuses secrets of another cluster than the one in the lock file: a whole file can be replaced. */
export function bindStore(store: SecretsStore, lock: ClusterLock): SecretsStore {
  return {
    location: store.location,
    find: async () => {
      const file = await store.find()
      if (file !== undefined) await lock.check(clusterMarkId(file.bundle.cluster.id))
      return file
    },
    create: async (file) => {
      // The store refuses to replace existing secrets.
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
  }
}
