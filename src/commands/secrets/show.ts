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
    'Shows what can be shown without revealing a secret: which cluster, which contract, when the authorities expire. With --reveal, the unencrypted bundle, as talosctl reads it.',
  examples: ['ichor secrets show', 'ichor secrets show --reveal --out /run/user/1000/secrets.yaml'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    reveal: { type: 'flag', help: 'print the secrets themselves' },
    out: { type: 'text', placeholder: 'FILE', help: 'write them to a file that only you can read, with --reveal' },
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

/** A shell makes the file of `>` readable for everybody. */
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
