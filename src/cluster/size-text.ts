const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `812 B`, `4.2 MiB`, `512 MiB`, `8 GiB`, `7.5 GiB`, `1500 GiB`, `2.5 TiB`. */
export function sizeText(bytes: number): string {
  const power = powerOf(Math.abs(bytes))
  const amount = bytes / 1024 ** power
  const isFine = power >= 3 || Math.abs(amount) < 10
  return `${isFine ? Math.round(amount * 10) / 10 : Math.round(amount)} ${units[power]}`
}

/** Disks and storages read better in GiB up to 2 TiB. */
function powerOf(bytes: number): number {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return power === 4 && bytes < 2 * 1024 ** 4 ? 3 : power
}
