/** Content of others that a token could read or delete on a storage where it may store images and config media. */
const contentOfOthers = ['backup', 'images', 'rootdir'] as const

interface Storage {
  readonly storage: string
  readonly content: readonly string[]
}

/** Content of a storage other than images and media: disks and backups of any owner. */
export function contentBeside({ content }: Pick<Storage, 'content'>): string[] {
  return contentOfOthers.filter((kind) => content.includes(kind))
}

/** The order in which storages are chosen: for files, those without content of others come first; then by name. */
export function preferredFirst<S extends Storage>(storages: readonly S[], purpose: string): S[] {
  const rank = (storage: S) => (purpose === 'images' ? 0 : Math.sign(contentBeside(storage).length))
  return storages.toSorted(
    (one, other) => rank(one) - rank(other) || (one.storage < other.storage ? -1 : Number(one.storage > other.storage)),
  )
}

const fileStorages = new Set(['dir', 'nfs', 'cifs', 'btrfs', 'cephfs'])

/** Whether a storage of that type can be configured to hold files. */
export function canHoldFiles(type: string): boolean {
  return fileStorages.has(type)
}
