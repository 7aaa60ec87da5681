import { evacuatedSpec } from '../operations/change/evacuated-spec.js'
import { carryOut, changeArgs } from './change/carry-out.js'
import { evacuateEnd } from './change/verb-end.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'

export default defineCommand({
  description:
    'Adds the host to placement.evacuate in the inventory, preserving comments, and migrates all machines off it: control planes one at a time, workers as max_unavailable allows. Nothing is moved unless all machines can be. --return removes the host from placement.evacuate and moves the machines back; those that cannot be migrated are replaced there.',
  examples: ['ichor evacuate pve2 --dry-run', 'ichor evacuate pve2 --yes', 'ichor evacuate pve2 --return'],
  args: {
    ...changeArgs,
    return: { type: 'flag', help: 'the host is available again: move its machines back' },
  },
  positionals: [{ name: 'hosts', help: 'Proxmox hosts', required: true, rest: true }],
  async run({ inventory, lab, return: isReturn, ...flags }, context, hosts) {
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const options = { env: context.env, world: opened.world, isLab: lab, signal: context.signal, isReturn }
      const change = () => evacuatedSpec(hosts, opened.inventory, options)
      return carryOut(change, flags, opened, context, evacuateEnd(hosts, isReturn))
    })
  },
})
