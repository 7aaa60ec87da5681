import { z } from 'zod'
import { addEntries, ownHostSet } from '../machine/host-rules.js'
import { changeHosts, holdAndAdmit, proveHostsReached } from '../machine/hosts-reached.js'
import { management } from '../ownership/host-set.js'
import { defineStep } from './step.js'

const cluster = { kind: 'cluster' } as const

/** Networks that the inventory no longer has lose their access: tried like the switch itself. */
export const dropManagers = defineStep({
  kind: 'drop-managers',
  args: z.strictObject({ entries: z.array(z.string()).readonly() }),
  title: ({ entries }) => `remove ${entries.join(', ')} from the IP set ${management} of Proxmox`,
  changes: true,
  disruptive: false,
  async done({ entries }, { proxmox }, { signal }) {
    const there = await proxmox.firewall.ipsetEntries(cluster, management, signal)
    return !there.some(({ cidr }) => entries.includes(cidr))
  },
  async run({ entries }, world, context) {
    await holdAndAdmit(world, context)
    const { firewall } = world.proxmox
    const there = (await firewall.ipsetEntries(cluster, management, context.signal)).map(({ cidr }) => cidr)
    for (const cidr of entries.filter((entry) => there.includes(entry))) {
      context.assertLease()
      await firewall.removeIpsetEntry(cluster, management, cidr, context.signal)
    }
  },
  trial: {
    prove: (_args, world, context) => proveHostsReached(world, context),
    async keep(_args, { proxmox }) {
      proxmox.hold.release()
    },
    async undo({ entries }, world, context) {
      const { comment } = ownHostSet(context.desired)
      try {
        await addEntries(
          management,
          entries.map((cidr) => ({ cidr, comment })),
          world,
          context,
        )
        return true
      } finally {
        world.proxmox.hold.release()
      }
    },
  },
  effect: ({ entries }, model) =>
    changeHosts(model, ({ managers }) => ({ managers: managers.filter(({ cidr }) => !entries.includes(cidr)) })),
})
