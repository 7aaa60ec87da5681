import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { contractOf } from '../../desired/talos-machine.js'
import { FileError, reasonOf } from '../../errors.js'
import { importSecrets } from '../../secrets/verbs.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { inventoryArg, labArg } from '../shared-args.js'
import { openHome } from './home.js'

export default defineCommand({
  description:
    'Imports the secrets of an existing cluster from a bundle (plain or encrypted with SOPS), a controlplane.yaml, or Terraform state with talos_machine_secrets.',
  examples: [
    'ichor secrets import secrets.yaml -i inventory/dev',
    'ichor secrets import terraform.tfstate --cluster talos_machine_secrets.this',
  ],
  args: {
    ...inventoryArg,
    ...labArg,
    cluster: {
      type: 'text',
      placeholder: 'ADDRESS',
      help: 'address of the resource, if the state has several clusters',
    },
    contract: {
      type: 'text',
      placeholder: 'VERSION',
      help: 'the Talos version that the cluster was created with; that of the inventory by default',
    },
  },
  positionals: [{ name: 'file', help: 'the file to import', required: true }],
  async run({ inventory, lab, cluster, contract }, context, [file = '']) {
    const one = await loadOne(inventory, context)
    const { store, ring } = openHome(one, context, lab)
    const where = resolve(context.cwd, file)
    const outcome = await importSecrets(
      store,
      {
        text: await textOf(where),
        where,
        ...(cluster === undefined ? {} : { cluster }),
        memory: { contract: contract ?? contractOf({ inventory: one, secrets: undefined }) },
      },
      ring,
    )
    context.stdout.write(
      outcome === 'imported' ? `wrote ${store.location}\n` : `${store.location} holds these secrets already.\n`,
    )
    return 0
  },
})

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new FileError(`The file cannot be read: ${reasonOf(cause)}.`, {
      where: path,
      fix: 'Check the path and its permissions.',
      cause,
    })
  }
}
