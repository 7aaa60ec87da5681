const units = ['T', 'G', 'M', 'K'] as const
const bytesOf = { T: 1024 ** 4, G: 1024 ** 3, M: 1024 ** 2, K: 1024 } as const

/** In the largest unit that fits exactly, as Proxmox prints sizes: `40G`, `4608M`. */
export function formatSize(bytes: number): string {
  const unit = bytes > 0 ? units.find((candidate) => bytes % bytesOf[candidate] === 0) : undefined
  return unit === undefined ? String(bytes) : `${bytes / bytesOf[unit]}${unit}`
}

/** Bytes of `40G`, `528K` or `1.5G`; `undefined` for anything else. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([KMGT])?$/.exec(text)
  if (match === null) return undefined
  const [, amount, unit] = match
  return Math.round(Number(amount) * (unit === undefined ? 1 : bytesOf[unit as keyof typeof bytesOf]))
}
