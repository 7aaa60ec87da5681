import { defineStep } from './step.js'

/** Lets a storage hold what the machines need; only where the user said that ichor may. */
export const enableContent = defineStep<{ storage: string; content: string }>({
  kind: 'enable-content',
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
  effect: ({ storage, content }, observed) => ({
    ...observed,
    proxmox: {
      ...observed.proxmox,
      storages: observed.proxmox.storages.map((one) =>
        one.storage === storage ? { ...one, content: [...one.content, content] } : one,
      ),
    },
  }),
})
