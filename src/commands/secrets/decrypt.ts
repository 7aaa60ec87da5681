import { decryptSecrets } from '../../secrets/verbs.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { inventoryArg } from '../shared-args.js'
import { openHome } from './home.js'

export default defineCommand({
  description:
    'Turns secrets.sops.yaml into secrets.yaml in the clear (0600) and removes the encrypted file. To look at them only, use `ichor secrets show --reveal`.',
  examples: ['ichor secrets decrypt -i inventory/dev'],
  args: { ...inventoryArg },
  async run({ inventory }, context) {
    const one = await loadOne(inventory, context)
    const { plainPath, sealedPath, ring } = openHome(one, context)
    await decryptSecrets({ from: sealedPath, to: plainPath }, ring)
    context.stdout.write(`wrote ${plainPath}\n`)
    if (one.settings.secrets !== 'plain') {
      context.stderr.write(
        'note write `secrets: plain` into the inventory, so that the file is found; never commit it.\n',
      )
    }
    return 0
  },
})
