import { isMapping, type MachineConfig, type Mapping } from './documents.js'
import { findText, mappingsOf, readerOf } from './read-values.js'
import { sizeOf } from './size-text.js'

/** A volume of the config that needs a disk. */
export interface VolumeFacts {
  /** `u-data`, or the path of a disk with the number of its partition. */
  readonly id: string
  readonly type: 'partition' | 'disk'
  readonly on: { readonly match: string } | { readonly path: string; readonly index: number }
  readonly minSize: number
  readonly maxSize?: number
  readonly grows: boolean
  readonly filesystem: 'xfs' | 'ext4' | 'swap' | 'none'
}

const prefixes = { UserVolumeConfig: 'u', RawVolumeConfig: 'r', SwapVolumeConfig: 's' } as const
const minSize = 100 * 1024 ** 2

/** Volumes on disks, in the order in which Talos provisions them; directories need no disk. */
export function volumeFactsOf(config: MachineConfig): VolumeFacts[] {
  const reader = readerOf(config)
  const named = Object.entries(prefixes).flatMap(([kind, prefix]) =>
    reader.documents(kind).flatMap(({ name = '', body }) => volumeOf(kind, `${prefix}-${name}`, body)),
  )
  const limit = ({ maxSize = Number.POSITIVE_INFINITY }: VolumeFacts) => maxSize
  const sorted = named.toSorted((a, b) => Number(a.grows) - Number(b.grows) || Number(limit(a) > limit(b)) || -1)
  return [...mappingsOf(reader.v1('machine.disks')).flatMap(partitionsIn), ...sorted]
}

/** The selector and the limit of EPHEMERAL, if it has any. */
export function ephemeralFactsOf(config: MachineConfig): { match?: string; maxSize?: number } {
  const { body } =
    readerOf(config)
      .documents('VolumeConfig')
      .find(({ name }) => name === 'EPHEMERAL') ?? {}
  const provisioning = isMapping(body?.provisioning) ? body.provisioning : {}
  const match = findMatch(provisioning)
  const maxSize = sizeOf(provisioning.maxSize)
  return { ...(match === undefined ? {} : { match }), ...(maxSize === undefined ? {} : { maxSize }) }
}

/** Every selector of a disk in the config, with its document. */
export function diskSelectorsIn({ documents }: MachineConfig): { readonly document: string; readonly match: string }[] {
  return documents.flatMap(({ kind, name, body }) => {
    const match = isMapping(body.provisioning) ? findMatch(body.provisioning) : undefined
    return match === undefined ? [] : [{ document: name === undefined ? kind : `${kind}/${name}`, match }]
  })
}

function findMatch({ diskSelector }: Mapping): string | undefined {
  return isMapping(diskSelector) ? findText(diskSelector.match) : undefined
}

function volumeOf(kind: string, id: string, body: Mapping): VolumeFacts[] {
  if (body.volumeType === 'directory') return []
  const provisioning = isMapping(body.provisioning) ? body.provisioning : {}
  const maxSize = sizeOf(provisioning.maxSize)
  const ofUser = isMapping(body.filesystem) && body.filesystem.type === 'ext4' ? 'ext4' : 'xfs'
  return [
    {
      id,
      type: body.volumeType === 'disk' ? 'disk' : 'partition',
      on: { match: findMatch(provisioning) ?? 'false' },
      minSize: sizeOf(provisioning.minSize) ?? minSize,
      ...(maxSize === undefined ? {} : { maxSize }),
      grows: provisioning.grow === true,
      filesystem: kind === 'UserVolumeConfig' ? ofUser : kind === 'SwapVolumeConfig' ? 'swap' : 'none',
    },
  ]
}

function partitionsIn({ device, partitions }: Mapping): VolumeFacts[] {
  const path = findText(device) ?? ''
  return mappingsOf(partitions).map((partition, index) => {
    const size = sizeOf(partition.size) ?? 0
    const maxSize = size === 0 ? {} : { maxSize: size }
    const on = { path, index }
    return {
      id: `${path}-${index + 1}`,
      type: 'partition',
      on,
      minSize: size,
      ...maxSize,
      grows: false,
      filesystem: 'xfs',
    }
  })
}
