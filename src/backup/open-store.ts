import { resolve } from 'node:path'
import { createFolderStore } from './folder-store.js'
import { type S3Settings, s3Location } from './s3/s3-location.js'
import { createS3Store } from './s3/s3-store.js'
import type { SnapshotStore } from './store.js'

export interface StoreOptions {
  /** The base of relative folders. */
  readonly folder: string
  readonly s3: S3Settings
  readonly env: NodeJS.ProcessEnv
}

/** A store by its name in the inventory or on the command line: `s3://BUCKET/PREFIX`, or a folder. */
export function openStore(store: string, { folder, s3, env }: StoreOptions): SnapshotStore {
  return store.startsWith('s3://')
    ? createS3Store(s3Location(store, s3, env))
    : createFolderStore(resolve(folder, store))
}
