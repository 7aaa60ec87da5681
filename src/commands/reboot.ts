import { machinesNamed } from '../operations/change/machines-named.js'
import { rebootedSpec } from '../operations/change/rebooted-spec.js'
import { carryOut, changeArgs } from './change/carry-out.js'
import { rebootEnd } from './change/verb-end.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'

export default defineCommand({
  description:
    'Drains and reboots machines: control planes one at a time, workers of a pool up to max_unavailable at a time. Each must be Ready again before the next one.',
  examples: ['ichor reboot dev-wk-2', 'ichor reboot workers', 'ichor reboot control_planes workers --yes'],
  args: changeArgs,
  positionals: [
    { name: 'node', help: 'machines by name, or workers, control_planes or a worker pool', required: true, rest: true },
  ],
  async run({ inventory, lab, ...flags }, context, names) {
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const options = { env: context.env, world: opened.world, isLab: lab }
      const machines = [...new Set(names.flatMap((name) => machinesNamed(name, opened.inventory)))]
      const change = (run: string) => rebootedSpec(machines, opened.inventory, { ...options, run })
      return carryOut(change, flags, opened, context, rebootEnd(machines))
    })
  },
})
