import { clearSecrets, decryptSecrets } from '../../secrets/verbs.js'
import { defineCommand } from '../frame/define-command.js'
import { keepOutOfGit } from '../keep-out-of-git.js'
import { loadOne } from '../one-inventory.js'
import { inventoryArg } from '../shared-args.js'
import { warnUnlessIgnored, writeClearFile } from './clear-file.js'
import { openFileHome } from './home.js'

export default defineCommand({
  description:
    'Decrypts secrets.sops.yaml to secrets.yaml (0600) and removes the encrypted file. --out writes the plain text to that file and keeps the encrypted one. Other tools may refuse its block `ichor`: secrets show --reveal prints the bundle without it.',
  examples: ['ichor secrets decrypt -i inventory/dev', 'ichor secrets decrypt --out /run/user/1000/secrets.yaml'],
  args: {
    ...inventoryArg,
    out: { type: 'text', placeholder: 'FILE', help: 'write the plain text to this file and keep the encrypted one' },
  },
  async run({ inventory, out }, context) {
    const one = await loadOne(inventory, context)
    const { plainPath, sealedPath, ring } = openFileHome(one, context)
    if (out !== undefined) {
      await writeClearFile(out, await clearSecrets(sealedPath, ring), context)
      return 0
    }
    await decryptSecrets({ from: sealedPath, to: plainPath }, ring)
    context.stdout.write(`wrote ${plainPath}\n`)
    for (const written of await keepOutOfGit(one.folder)) context.stdout.write(`wrote ${written}\n`)
    await warnUnlessIgnored(plainPath, context)
    if (one.settings.secrets !== 'plain') {
      context.stderr.write(
        'note write `secrets: plain` into the inventory, so that the file is found; never commit it.\n',
      )
    }
    return 0
  },
})
