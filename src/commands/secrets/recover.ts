import { keyNames } from '../../cluster/cluster-key.js'
import { recoverSecrets } from '../../operations/recover-secrets.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { withWorld } from '../open-world.js'
import { inventoryArg, labArg } from '../shared-args.js'
import { openHome } from './home.js'

export default defineCommand({
  description:
    'Reads rotated keys back from the config of a control plane, when the newest secrets file is lost and an older one is left. Changes only the secrets. Not possible after the Talos CA was rotated, because only the newest secrets reach the nodes then.',
  examples: ['ichor secrets recover'],
  args: { ...inventoryArg, ...labArg },
  async run({ inventory, lab }, context) {
    return withWorld(await loadOne(inventory, context), { lab, mayStartLab: false }, context, async (opened) => {
      const { store } = openHome(opened.inventory, context, lab)
      const keys = await recoverSecrets(opened, store, context.signal)
      const names = keys.map((key) => keyNames[key]).join(', ')
      context.stdout.write(
        keys.length === 0
          ? `${store.location} holds the keys of the cluster already.\n`
          : `wrote ${store.location}: ${names}\n`,
      )
      return 0
    })
  },
})
