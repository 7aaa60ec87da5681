import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { World } from '../world.js'
import type { ObservedMachine, ObservedProxmox, StrayVolume, UnlistedStorage } from './observed.js'

/**
 * Disks under the VMIDs of our machines on hosts where the machines are not: a failed migration leaves them there, and the
 * deletion of the VM does not remove them. A storage that cannot be listed is named if a machine has a disk on it.
 */
export async function askStrayVolumes(
  machines: readonly ObservedMachine[],
  { hosts, storages }: Pick<ObservedProxmox, 'hosts' | 'storages'>,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<Pick<ObservedProxmox, 'strayVolumes' | 'unlistedStorages'>> {
  if (machines.length === 0) return {}
  const online = new Set(hosts.filter((host) => host.online).map(({ name }) => name))
  const local = storages.filter(
    ({ host, shared, available, content }) => !shared && available && online.has(host) && content.includes('images'),
  )
  const homes = new Map(machines.map(({ vmid, host, name }) => [vmid, { host, name }]))
  const unlistedStorages: UnlistedStorage[] = []
  const found = await Promise.all(
    local.map(async ({ host, storage }) => {
      const volumes = await proxmox.storage.content(host, storage, 'images', signal).catch((thrown: unknown) => {
        if (!isProxmoxError(thrown, 'host-down', 'forbidden')) throw thrown
        if (hasDisk(machines, storage)) unlistedStorages.push({ host, storage, why: thrown.reason })
        return []
      })
      return volumes.flatMap(({ volid, vmid, size }): StrayVolume[] => {
        const home = homes.get(vmid ?? 0)
        return home === undefined || home.host === host ? [] : [{ host, volid, size, machine: home.name }]
      })
    }),
  )
  return { strayVolumes: found.flat(), unlistedStorages }
}

function hasDisk(machines: readonly ObservedMachine[], storage: string): boolean {
  return machines.some(({ options }) => Object.values(options).some((option) => option.startsWith(`${storage}:`)))
}
