import { encryptSecrets } from '../../secrets/verbs.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { inventoryArg } from '../shared-args.js'
import { openFileHome } from './home.js'

export default defineCommand({
  description:
    'Encrypts secrets.yaml beside the inventory as secrets.sops.yaml for the recipients of the SOPS rules, and removes the plain file.',
  examples: ['ichor secrets encrypt -i inventory/dev'],
  args: { ...inventoryArg },
  async run({ inventory }, context) {
    const one = await loadOne(inventory, context)
    const { plainPath, sealedPath, ring } = openFileHome(one, context)
    await encryptSecrets({ from: plainPath, to: sealedPath }, ring)
    context.stdout.write(`wrote ${sealedPath}\n`)
    if (one.settings.secrets === 'plain') {
      context.stderr.write('note the inventory has `secrets: plain`: remove that line, so that the file is found.\n')
    }
    return 0
  },
})
