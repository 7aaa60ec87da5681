const GiB = 1024 ** 3
const TiB = 1024 * GiB

/** `8 GiB`, `7.5 GiB`, `1.5 TiB`. */
export function sizeText(bytes: number): string {
  if (bytes >= 2 * TiB) return `${rounded(bytes / TiB)} TiB`
  return `${rounded(bytes / GiB)} GiB`
}

function rounded(amount: number): number {
  return Math.round(amount * 10) / 10
}
