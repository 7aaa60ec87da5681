import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { World } from '../world.js'
import type { ObservedMachine, ObservedProxmox, StrayVolume } from './observed.js'

/**
 * Disks under the VMIDs of our machines on hosts where the machines are not: a failed migration leaves them there, and the
 * deletion of the VM does not remove them. What cannot be listed is left out.
 */
export async function askStrayVolumes(
  machines: readonly ObservedMachine[],
  { hosts, storages }: Pick<ObservedProxmox, 'hosts' | 'storages'>,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<StrayVolume[]> {
  if (machines.length === 0) return []
  const online = new Set(hosts.filter((host) => host.online).map(({ name }) => name))
  const local = storages.filter(
    ({ host, shared, available, content }) => !shared && available && online.has(host) && content.includes('images'),
  )
  const homes = new Map(machines.map(({ vmid, host, name }) => [vmid, { host, name }]))
  const found = await Promise.all(
    local.map(async ({ host, storage }) => {
      const volumes = await proxmox.storage.content(host, storage, 'images', signal).catch((thrown: unknown) => {
        if (isProxmoxError(thrown, 'host-down') || isProxmoxError(thrown, 'forbidden')) return []
        throw thrown
      })
      return volumes.flatMap(({ volid, vmid, size }): StrayVolume[] => {
        const home = homes.get(vmid ?? 0)
        return home === undefined || home.host === host ? [] : [{ host, volid, size, machine: home.name }]
      })
    }),
  )
  return found.flat()
}
