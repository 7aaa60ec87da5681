import { seen } from '../cluster/seen.js'
import type { ObservedProxmox, StorageContent } from '../observe/observed.js'
import type { Volume } from '../proxmox/client/port.js'

/** Every observed volume, with its host. Volumes on storages that could not be read are not included. */
export function seenVolumes({ contents }: Pick<ObservedProxmox, 'contents'>): (Volume & { readonly host: string })[] {
  return contents.flatMap(({ host, volumes }) =>
    volumes.seen ? volumes.value.map((volume) => ({ ...volume, host })) : [],
  )
}

/** The contents with one more volume. */
export function withVolume(
  contents: readonly StorageContent[],
  place: Omit<StorageContent, 'volumes'>,
  volume: Volume,
): StorageContent[] {
  const isPlace = (one: StorageContent) =>
    one.host === place.host && one.storage === place.storage && one.content === place.content
  const before = contents.find(isPlace)
  const volumes = before?.volumes.seen ? before.volumes.value : []
  return [...contents.filter((one) => !isPlace(one)), { ...place, volumes: seen([...volumes, volume]) }]
}

/** The content of a storage without those volumes. */
export function withoutVolumes(content: StorageContent, isGone: (volume: Volume) => boolean): StorageContent {
  if (!content.volumes.seen) return content
  return { ...content, volumes: seen(content.volumes.value.filter((volume) => !isGone(volume))) }
}
