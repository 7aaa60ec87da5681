import { rotationTargets } from '../../cluster/rotation.js'
import { rotatedSpec } from '../../operations/change/rotated-spec.js'
import { carryOut, changeArgs } from '../change/carry-out.js'
import { rotateEnd } from '../change/verb-end.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { withWorld } from '../open-world.js'
import { namesPods, reportOldPods } from './old-pods.js'
import { rotatableKey } from './rotatable-key.js'

export default defineCommand({
  description:
    'Replaces a CA or a key in a running cluster: every node first accepts the new one, then uses it, then drops the old one. A phase starts when every node has completed the previous one. If interrupted, run the same command again. After the rotation of a CA, existing talosconfigs and kubeconfigs stop working: write new ones. The service account key and the key of the Secrets in etcd require contract v1.14; the tokens of pods are renewed, or all Secrets are written again, before the old key is dropped.',
  examples: [
    'ichor secrets rotate talos-ca --dry-run',
    'ichor secrets rotate kubernetes-ca --yes',
    'ichor secrets rotate etcd-encryption-key',
  ],
  args: changeArgs,
  positionals: [{ name: 'KEY', required: true, help: rotationTargets.join(', ') }],
  async run({ inventory, lab, ...flags }, context, [named = '']) {
    const what = rotatableKey(named)
    return withWorld(await loadOne(inventory, context), { lab, mayStartLab: false }, context, async (opened) => {
      const options = { env: context.env, world: opened.world, isLab: lab }
      const change = (run: string) => rotatedSpec(what, opened.inventory, { ...options, run })
      const code = await carryOut(change, flags, opened, context, rotateEnd(what))
      const isRotated = code === 0 && !flags.dryRun
      if (isRotated && namesPods(what)) await reportOldPods(what, opened, flags.json, context)
      return code
    })
  },
})
