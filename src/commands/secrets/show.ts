import { table } from '../../report/table.js'
import { describeSecrets, revealSecrets, type SecretsSummary } from '../../secrets/verbs.js'
import type { Context } from '../frame/context.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { inventoryArg, jsonArg, labArg } from '../shared-args.js'
import { writeClearFile } from './clear-file.js'
import { openHome } from './home.js'

export default defineCommand({
  description:
    'Shows the cluster, the contract and when the CAs expire, without revealing secrets. --reveal prints the unencrypted bundle in the format of talosctl.',
  examples: ['ichor secrets show', 'ichor secrets show --reveal --out /run/user/1000/secrets.yaml'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    reveal: { type: 'flag', help: 'print the secrets themselves' },
    out: { type: 'text', placeholder: 'FILE', help: 'with --reveal: write them to a file with mode 0600' },
  },
  async run({ inventory, json, lab, reveal, out }, context) {
    const { store } = openHome(await loadOne(inventory, context), context, lab)
    if (reveal) {
      const clear = await revealSecrets(store)
      const text = json ? `${JSON.stringify({ version: 1, secrets: clear })}\n` : clear
      if (out !== undefined) await writeClearFile(out, text, context)
      else printClear(text, context)
      return 0
    }
    const summary = await describeSecrets(store)
    context.stdout.write(json ? `${JSON.stringify({ version: 1, ...summary })}\n` : textOf(summary))
    return 0
  },
})

/** With `>`, the shell creates a file that others can read. */
function printClear(text: string, { stdout, stderr }: Context): void {
  stdout.write(text)
  if (stdout.isTTY === true) return
  stderr.write('note these secrets are not encrypted; --out FILE writes a file that only you can read.\n')
}

function textOf({ location, cluster, contract, bootstrapped, rotation, values, authorities }: SecretsSummary): string {
  return [
    `location      ${location}`,
    `cluster       ${cluster}`,
    `contract      ${contract ?? 'not remembered'}`,
    `bootstrapped  ${bootstrapped ? 'yes' : 'no'}`,
    ...(rotation === undefined ? [] : [`rotation      ${rotation.what}: ${rotation.phase}`]),
    `values        ${values.join(', ') || 'none'}`,
    '',
    table(
      ['AUTHORITY', 'VALID UNTIL'],
      authorities.map(({ name, expires }) => [name, expires.slice(0, 10)]),
    ),
  ].join('\n')
}
