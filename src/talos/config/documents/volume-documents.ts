import type { ConfigObject } from '../config-value.js'
import { type Contract, hasSplitDocuments } from '../contract.js'
import type { TalosMachine } from '../talos-machine.js'
import { volumesArePartitions } from '../v1alpha1/disk-partitions.js'
import { encryptionSpec, volumesSayEncryption } from '../v1alpha1/system-disk-encryption.js'
import { newDocument } from './new-document.js'

/** System volumes, if they have settings. */
export function systemVolumeDocuments({ diskEncryption }: TalosMachine, contract: Contract): ConfigObject[] {
  const spec = diskEncryption && volumesSayEncryption(contract) ? encryptionSpec(diskEncryption) : undefined
  const state = diskEncryption?.state ? spec : undefined
  const ephemeral = diskEncryption?.ephemeral ? spec : undefined
  const mount = hasSplitDocuments(contract) ? { secure: true } : undefined
  return [
    ...(state === undefined ? [] : [newDocument('VolumeConfig', { name: 'STATE', encryption: state })]),
    ...(ephemeral === undefined && mount === undefined
      ? []
      : [newDocument('VolumeConfig', { name: 'EPHEMERAL', encryption: ephemeral, mount })]),
  ]
}

/** User disks, each mounted at `/var/mnt/<name>`, made available to the kubelet by Talos, and grown with the disk. */
export function userVolumeDocuments({ userVolumes }: TalosMachine, contract: Contract): ConfigObject[] {
  if (volumesArePartitions(contract)) return []
  return userVolumes.map(({ name, diskMatch, minSize }) =>
    newDocument('UserVolumeConfig', {
      name,
      provisioning: { diskSelector: { match: diskMatch }, grow: true, minSize: exactSize(minSize) },
    }),
  )
}

const units = [
  ['TiB', 1024 ** 4],
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
] as const

/** In the largest exact unit. */
function exactSize(bytes: number): string {
  const unit = units.find(([, size]) => bytes % size === 0)
  return unit === undefined ? String(bytes) : `${bytes / unit[1]}${unit[0]}`
}
