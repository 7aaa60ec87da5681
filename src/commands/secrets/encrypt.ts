import { encryptSecrets } from '../../secrets/verbs.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { inventoryArg } from '../shared-args.js'
import { openFileHome } from './home.js'

export default defineCommand({
  description:
    'Turns secrets.yaml beside the inventory into secrets.sops.yaml, encrypted for the recipients that the rules name, and removes the plain file.',
  examples: ['ichor secrets encrypt -i inventory/dev'],
  args: { ...inventoryArg },
  async run({ inventory }, context) {
    const one = await loadOne(inventory, context)
    const { plainPath, sealedPath, ring } = openFileHome(one, context)
    await encryptSecrets({ from: plainPath, to: sealedPath }, ring)
    context.stdout.write(`wrote ${sealedPath}\n`)
    if (one.settings.secrets === 'plain') {
      context.stderr.write('note the inventory says `secrets: plain`: take that line out, so that the file is found.\n')
    }
    return 0
  },
})
