import { z } from 'zod'
import { management } from '../../../ownership/host-set.js'
import { defineStep } from '../../../steps/step.js'
import { addEntries, ownHostSet } from './host-rules.js'
import { changeHosts, holdAndAdmit, proveHostsReached } from './hosts-reached.js'

const cluster = { kind: 'cluster' } as const

/** Networks that the inventory no longer has lose their access: tried like the switch itself. */
export const dropManagers = defineStep({
  kind: 'drop-managers',
  args: z.strictObject({ entries: z.array(z.string()).readonly() }),
  title: ({ entries }) => `remove ${entries.join(', ')} from the IP set ${management} of Proxmox`,
  changes: true,
  disruptive: false,
  async done({ entries }, { proxmox, signal }) {
    const there = await proxmox.firewall.ipsetEntries(cluster, management, signal)
    return !there.some(({ cidr }) => entries.includes(cidr))
  },
  async run({ entries }, context) {
    await holdAndAdmit(context)
    const { firewall } = context.proxmox
    const there = (await firewall.ipsetEntries(cluster, management, context.signal)).map(({ cidr }) => cidr)
    for (const cidr of entries.filter((entry) => there.includes(entry))) {
      context.assertLease()
      await firewall.removeIpsetEntry(cluster, management, cidr, context.signal)
    }
  },
  trial: {
    prove: (_args, context) => proveHostsReached(context),
    async keep(_args, { proxmox }) {
      proxmox.hold.release()
    },
    async undo({ entries }, context) {
      const { comment } = ownHostSet(context.desired)
      try {
        await addEntries(
          management,
          entries.map((cidr) => ({ cidr, comment })),
          context,
        )
        return true
      } finally {
        context.proxmox.hold.release()
      }
    },
  },
  effect: ({ entries }, model) =>
    changeHosts(model, ({ managers }) => ({ managers: managers.filter(({ cidr }) => !entries.includes(cidr)) })),
})
