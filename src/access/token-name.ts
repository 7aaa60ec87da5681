import type { ProxmoxToken } from '../proxmox/client/port.js'

/** `ichor`, `ichor-2`, `ichor-3`, …: a new token exists next to the old one until that is unused. */
export function tokenName(number: number): string {
  return number === 1 ? 'ichor' : `ichor-${number}`
}

/** `undefined` for a token that is not ours. */
export function tokenNumber({ name, comment }: Pick<ProxmoxToken, 'name' | 'comment'>): number | undefined {
  const [match, digits] = /^ichor(?:-([1-9]\d{0,5}))?$/.exec(name) ?? []
  if (match === undefined || comment?.startsWith('ichor: ') !== true) return undefined
  return digits === undefined ? 1 : Number(digits)
}
