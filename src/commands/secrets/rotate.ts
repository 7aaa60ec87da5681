import { isRotationTarget, rotationTargets } from '../../cluster/rotation.js'
import { UsageError } from '../../errors.js'
import { carryOut, changeArgs } from '../change/carry-out.js'
import { rotatedSpec } from '../change/rotated-spec.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { withWorld } from '../open-world.js'

export default defineCommand({
  description:
    'Replaces the CA of Talos or of Kubernetes in a running cluster: every node first accepts the new one, then signs with it, then forgets the old one. Each phase begins when every node is seen to be in the one before. Interrupted, the same command continues.',
  examples: ['ichor secrets rotate talos-ca --dry-run', 'ichor secrets rotate kubernetes-ca --yes'],
  args: changeArgs,
  positionals: [{ name: 'KEY', required: true, help: rotationTargets.join(', ') }],
  async run({ inventory, lab, ...flags }, context, [what = '']) {
    if (!isRotationTarget(what)) {
      throw new UsageError(`${JSON.stringify(what)} is not a key that can be rotated.`, {
        where: 'ichor secrets rotate',
        fix: `Choose one of ${rotationTargets.join(', ')}.`,
      })
    }
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const options = { env: context.env, world: opened.world, isLab: lab }
      return carryOut((run) => rotatedSpec(what, opened.inventory, { ...options, run }), flags, opened, context)
    })
  },
})
