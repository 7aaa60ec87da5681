import { contractOf } from '../../desired/talos-machine.js'
import { initSecrets } from '../../secrets/verbs.js'
import { forEachInventory } from '../each-cluster.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { keepOutOfGit } from '../keep-out-of-git.js'
import { inventoryArg } from '../shared-args.js'
import { openHome } from './home.js'

export default defineCommand({
  description:
    'Creates the CAs, keys and tokens of a new cluster and stores them encrypted beside the inventory, or at the location in `secrets`. Existing secrets are never replaced. `ichor up` does the same if there are none.',
  examples: ['ichor secrets init -i inventory/dev'],
  args: { ...inventoryArg },
  async run({ inventory }, context) {
    return forEachInventory(await loadNamed(inventory, context), async (one) => {
      const { store } = openHome(one, context)
      await initSecrets(store, contractOf({ inventory: one, secrets: undefined }))
      const ignored = await keepOutOfGit(one.folder)
      for (const written of [store.location, ...ignored]) context.stdout.write(`wrote ${written}\n`)
      return 0
    })
  },
})
