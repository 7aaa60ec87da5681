import { contractOf } from '../../desired/talos-machine.js'
import { initSecrets } from '../../secrets/verbs.js'
import { forEachInventory } from '../each-cluster.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { inventoryArg } from '../shared-args.js'
import { openHome } from './home.js'

export default defineCommand({
  description:
    'Makes the authorities, keys and tokens of a new cluster and keeps them encrypted beside the inventory, or where its `secrets` says. Secrets that are there are never replaced. `ichor up` does the same when there are none.',
  examples: ['ichor secrets init -i inventory/dev'],
  args: { ...inventoryArg },
  async run({ inventory }, context) {
    return forEachInventory(await loadNamed(inventory, context), async (one) => {
      const { store } = openHome(one, context)
      await initSecrets(store, contractOf({ inventory: one, secrets: undefined }))
      context.stdout.write(`wrote ${store.location}\n`)
      return 0
    })
  },
})
