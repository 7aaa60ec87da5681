import { z } from 'zod'
import type { PlanRefused } from '../errors.js'
import { mayNotAllowContent } from '../findings/refusals/secrets.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import { defineStep } from './step.js'

/** Allows a storage to hold what the machines need; only if the user permits it. */
export const enableContent = defineStep({
  kind: 'enable-content',
  args: z.strictObject({ storage: z.string(), content: z.string() }),
  title: ({ storage, content }) => `let storage ${storage} hold content of type ${content}`,
  changes: true,
  disruptive: false,
  async done({ storage, content }, { proxmox, signal }) {
    const { storages } = await proxmox.cluster.resources(signal)
    return storages.some((one) => one.storage === storage && one.content.includes(content))
  },
  async run({ storage, content }, { proxmox, signal, assertLease }) {
    assertLease()
    await proxmox.storage.enableContent(storage, [content], signal).catch((thrown: unknown) => {
      throw isProxmoxError(thrown, 'forbidden') ? notAllowed(storage, thrown) : thrown
    })
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

/** No token of `ichor access` may do this: the privilege would allow every change to that storage. */
function notAllowed(storage: string, cause: unknown): PlanRefused {
  return mayNotAllowContent.refuse(`This token may not change which content storage ${storage} allows.`, {
    subject: { kind: 'storage', name: storage },
    where: `Proxmox storage ${storage}`,
    fix: 'Have an administrator run ichor access --enable-content, then run the same command without --enable-content.',
    cause,
  })
}
