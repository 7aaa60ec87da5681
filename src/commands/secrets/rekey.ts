import { rekeySecrets } from '../../secrets/verbs.js'
import { forEachInventory } from '../each-cluster.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { inventoryArg, labArg } from '../shared-args.js'
import { openFileHome } from './home.js'

export default defineCommand({
  description:
    'Encrypts the secrets again, with a new data key, for the recipients that SOPS_AGE_RECIPIENTS or .sops.yaml name now. The secrets themselves stay as they are.',
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
