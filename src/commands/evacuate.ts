import { carryOut, changeArgs } from './change/carry-out.js'
import { evacuatedSpec } from './change/evacuated-spec.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'

export default defineCommand({
  description:
    'Writes the host into placement.evacuate, comments kept, and moves every machine off it: one control plane after the other, workers as max_unavailable allows, live where they run. Nothing moves unless all of them can. --return takes it out again and brings them back.',
  examples: ['ichor evacuate pve2 --dry-run', 'ichor evacuate pve2 --yes', 'ichor evacuate pve2 --return'],
  args: {
    ...changeArgs,
    return: { type: 'flag', help: 'the host is back: machines that left it return' },
  },
  positionals: [{ name: 'hosts', help: 'Proxmox hosts', required: true, rest: true }],
  async run({ inventory, lab, return: isReturn, ...flags }, context, hosts) {
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const options = { env: context.env, world: opened.world, isLab: lab, signal: context.signal, isReturn }
      return carryOut(() => evacuatedSpec(hosts, opened.inventory, options), flags, opened, context)
    })
  },
})
