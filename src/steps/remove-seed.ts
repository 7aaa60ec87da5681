import { removeSeedVolume } from './seed.js'
import { defineStep } from './step.js'

/** A config ISO whose machine was deleted or moved by somebody else: it holds the CA keys and does not stay. */
export const removeSeed = defineStep<{ host: string; volume: string }>({
  kind: 'remove-seed',
  title: ({ host, volume }) => `delete the config ISO ${volume} on ${host}`,
  lane: ({ host }) => ({ name: `delete:${host}`, limit: 4 }),
  changes: true,
  disruptive: false,
  async done({ host, volume }, { proxmox }, { signal }) {
    const volumes = await proxmox.storage.content(host, volume.split(':')[0] ?? '', 'iso', signal)
    return !volumes.some(({ volid }) => volid === volume)
  },
  run: ({ host, volume }, world, context) => removeSeedVolume(host, volume, world, context),
  effect: ({ host, volume }, observed) => ({
    ...observed,
    proxmox: {
      ...observed.proxmox,
      volumes: observed.proxmox.volumes.filter((other) => other.host !== host || other.volid !== volume),
    },
  }),
})
