import type { StorageResource } from '../../proxmox/client/port.js'
import type { World } from '../../world.js'
import { up } from '../goals.js'
import { resolve } from '../reconcile.js'
import type { Session } from '../session.js'
import { specOf } from '../spec/spec-of.js'
import { type StoredImage, storedImages } from './stored-images.js'

/** All our images and templates, on every storage that can hold them and responds. */
export async function findImages(session: Session, signal: AbortSignal): Promise<StoredImage[]> {
  const { world } = session
  const { observed, desired } = await resolve({ spec: await specOf(session), world, goal: up, signal })
  const storages = withoutRepeated(observed.proxmox.storages.filter(({ available }) => available))
  const contents = await Promise.all(storages.map((storage) => contentOf(storage, world, signal)))
  return storedImages(contents, desired, observed)
}

/** A shared storage is the same on every host. */
function withoutRepeated(storages: readonly StorageResource[]): StorageResource[] {
  const seen = new Set<string>()
  return storages.filter(({ storage, shared, host }) => {
    const key = shared ? storage : `${host}/${storage}`
    return seen.size < seen.add(key).size
  })
}

async function contentOf({ host, storage, shared, content }: StorageResource, { proxmox }: World, signal: AbortSignal) {
  const kinds = (['import', 'iso'] as const).filter((kind) => content.includes(kind))
  const volumes = await Promise.all(kinds.map((kind) => proxmox.storage.content(host, storage, kind, signal)))
  return { host, isShared: shared, volumes: volumes.flat() }
}
