import { z } from 'zod'
import { defineStep } from './step.js'

/** Lets a storage hold what the machines need; only where the user said that ichor may. */
export const enableContent = defineStep({
  kind: 'enable-content',
  args: z.strictObject({ storage: z.string(), content: z.string() }),
  title: ({ storage, content }) => `let storage ${storage} hold content of type ${content}`,
  changes: true,
  disruptive: false,
  async done({ storage, content }, { proxmox }, { signal }) {
    const { storages } = await proxmox.cluster.resources(signal)
    return storages.some((one) => one.storage === storage && one.content.includes(content))
  },
  async run({ storage, content }, { proxmox }, { signal, assertLease }) {
    assertLease()
    await proxmox.storage.enableContent(storage, [content], signal)
  },
  effect: ({ storage, content }, model) =>
    model.change(({ proxmox }) => ({
      proxmox: {
        ...proxmox,
        storages: proxmox.storages.map((one) =>
          one.storage === storage ? { ...one, content: [...one.content, content] } : one,
        ),
      },
    })),
})
