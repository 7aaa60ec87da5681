const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 }

/** The volume behind a drive; `undefined` for no drive and for an empty one. */
export function diskVolume(option: string | undefined): string | undefined {
  const file = (option ?? '').split(',')[0] ?? ''
  const volume = file.startsWith('file=') ? file.slice('file='.length) : file
  return volume === '' || volume === 'none' || volume === 'cdrom' ? undefined : volume
}

/** Bytes, as the drive's own `size=` reports; `undefined` when it does not. */
export function diskSize(option: string | undefined): number | undefined {
  const match = /(?:^|,)size=(\d+(?:\.\d+)?)([KMGT]?)(?:,|$)/.exec(option ?? '')
  if (match === null) return undefined
  return Math.round(Number(match[1]) * (units[match[2] ?? ''] ?? 1))
}

/** Whether a drive has at least so many bytes. */
export function isLargeEnough(option: string | undefined, wanted: number): boolean {
  const size = diskSize(option)
  return size !== undefined && size >= wanted
}
