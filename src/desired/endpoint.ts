import { compareNames } from '../cluster/compare-names.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'

const apiPort = 6443

/**
 * The Kubernetes endpoint: as configured, the VIP, or the first control plane; `undefined` until DHCP has assigned its
 * address.
 */
export function endpointOf({ settings, machines }: Inventory, observed?: Observed): string | undefined {
  if (settings.endpoint_override !== undefined) return urlOf(settings.endpoint_override)
  if (settings.network.vip !== undefined) return urlOf(settings.network.vip)
  const first = firstControlPlane(machines)
  const seen = observed?.machines.find(({ name }) => name === first?.name)
  const address = first?.address ?? seen?.address
  return address === undefined ? undefined : urlOf(address)
}

/** Always the one with the lowest name. */
export function firstControlPlane<M extends { readonly name: string; readonly role: string }>(
  machines: readonly M[],
): M | undefined {
  const controlPlanes = machines.filter(({ role }) => role === 'controlplane')
  return [...controlPlanes].sort((one, other) => compareNames(one.name, other.name))[0]
}

function urlOf(text: string): string {
  if (/^https:\/\//.test(text))
    return new URL(text).port === '' && !/:\d+/.test(text.slice(8))
      ? `${text.replace(/\/+$/, '')}:${apiPort}`
      : text.replace(/\/+$/, '')
  const isBareV6 = text.includes(':') && !text.includes('.') && !text.startsWith('[')
  const host = isBareV6 ? `[${text}]` : text
  return /:\d+$/.test(host) && !isBareV6 ? `https://${host}` : `https://${host}:${apiPort}`
}
