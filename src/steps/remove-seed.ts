import { z } from 'zod'
import { removeSeedVolume } from '../vm/seed.js'
import { withoutVolumes } from '../vm/storage-contents.js'
import { defineStep } from './step.js'

/** An uploaded seed whose machine was deleted or moved by hand. It holds the CA keys and must be deleted. */
export const removeSeed = defineStep({
  kind: 'remove-seed',
  args: z.strictObject({ host: z.string(), volume: z.string() }),
  title: ({ host, volume }) => `delete the seed ${volume} on ${host}`,
  lane: ({ host }) => ({ name: `delete:${host}`, limit: 4 }),
  changes: true,
  disruptive: false,
  async done({ host, volume }, { proxmox, signal }) {
    const volumes = await proxmox.storage.content(host, volume.split(':')[0] ?? '', contentOf(volume), signal)
    return !volumes.some(({ volid }) => volid === volume)
  },
  run: ({ host, volume }, context) => removeSeedVolume(host, volume, context),
  effect: ({ host, volume }, model) =>
    model.change(({ proxmox }) => ({
      proxmox: {
        ...proxmox,
        contents: proxmox.contents.map((one) =>
          one.host === host ? withoutVolumes(one, ({ volid }) => volid === volume) : one,
        ),
      },
    })),
})

/** `local:import/NAME` or `local:iso/NAME`. */
function contentOf(volume: string): 'import' | 'iso' {
  return volume.includes(':import/') ? 'import' : 'iso'
}
