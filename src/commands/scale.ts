import { scaledSpec } from '../operations/change/scaled-spec.js'
import { carryOut, changeArgs } from './change/carry-out.js'
import { scaleEnd } from './change/verb-end.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'

export default defineCommand({
  description:
    'Writes new sizes to the inventory, preserving comments, and applies them. Scaling down removes the machine whose loss matters least; the plan shows which one, and why. It is drained, leaves etcd and Kubernetes, and is deleted.',
  examples: [
    'ichor scale workers=5',
    'ichor scale control_planes=3 workers=5 --dry-run',
    'ichor scale storage=2 -i inventory/prod --yes',
  ],
  args: changeArgs,
  positionals: [
    {
      name: 'sizes',
      help: 'workers=5, control_planes=3, or the name of a worker pool and its size',
      required: true,
      rest: true,
    },
  ],
  async run({ inventory, lab, ...flags }, context, sizes) {
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const options = { env: context.env, world: opened.world, isLab: lab, signal: context.signal }
      return carryOut(() => scaledSpec(sizes, opened.inventory, options), flags, opened, context, scaleEnd)
    })
  },
})
