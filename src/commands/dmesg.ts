import { copyTo } from './copy-to.js'
import { defineCommand } from './frame/define-command.js'
import { getNodeTarget } from './node-targets.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { inventoryArg, labArg } from './shared-args.js'

export default defineCommand({
  description: 'Shows the kernel log of a node, with the messages of Talos before its services run.',
  examples: ['ichor dmesg dev-cp-1', 'ichor dmesg dev-cp-1 --follow'],
  args: {
    ...inventoryArg,
    ...labArg,
    follow: { type: 'flag', short: 'f', help: 'keep printing new lines until Ctrl-C' },
    new: { type: 'flag', help: 'with --follow: only new messages' },
  },
  positionals: [{ name: 'NODE', help: 'a machine of the inventory', required: true }],
  async run({ inventory, lab, follow, new: onlyNew }, context, [name = '']) {
    const one = await loadOne(inventory, context)
    await withWorld(
      one,
      { lab, mayStartLab: false, talosRoles: ['os:reader'] },
      context,
      async ({ inventory: loaded, world }) => {
        const { address } = await getNodeTarget(name, loaded, world, context.signal)
        const node = world.talos.node({ machine: name, address })
        await copyTo(context, node.dmesg({ follow, tail: onlyNew }, context.signal))
      },
    )
    return 0
  },
})
