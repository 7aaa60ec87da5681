import { rekeySecrets } from '../../secrets/verbs.js'
import { forEachInventory } from '../each-cluster.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { inventoryArg, labArg } from '../shared-args.js'
import { openFileHome } from './home.js'

export default defineCommand({
  description:
    'Re-encrypts the secrets with a new data key for the current recipients in SOPS_AGE_RECIPIENTS or .sops.yaml. The secrets themselves do not change.',
  examples: ['ichor secrets rekey -i inventory/dev -i inventory/prod'],
  args: { ...inventoryArg, ...labArg },
  async run({ inventory, lab }, context) {
    return forEachInventory(await loadNamed(inventory, context), async (one) => {
      const { sealedPath, ring } = openFileHome(one, context, lab)
      await rekeySecrets(sealedPath, ring)
      context.stdout.write(`wrote ${sealedPath}\n`)
      return 0
    })
  },
})
