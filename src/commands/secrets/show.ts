import { table } from '../../report/table.js'
import { describeSecrets, revealSecrets, type SecretsSummary } from '../../secrets/verbs.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { inventoryArg, jsonArg, labArg } from '../shared-args.js'
import { openHome } from './home.js'

export default defineCommand({
  description:
    'Shows what can be shown without revealing a secret: which cluster, which contract, when the authorities expire. With --reveal, the bundle in the clear, as talosctl reads it.',
  examples: ['ichor secrets show', 'ichor secrets show --reveal > secrets.yaml'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    reveal: { type: 'flag', help: 'print the secrets themselves' },
  },
  async run({ inventory, json, lab, reveal }, context) {
    const { store } = openHome(await loadOne(inventory, context), context, lab)
    if (reveal) {
      const text = await revealSecrets(store)
      context.stdout.write(json ? `${JSON.stringify({ version: 1, secrets: text })}\n` : text)
      return 0
    }
    const summary = await describeSecrets(store)
    context.stdout.write(json ? `${JSON.stringify({ version: 1, ...summary })}\n` : textOf(summary))
    return 0
  },
})

function textOf({ location, cluster, contract, bootstrapped, values, authorities }: SecretsSummary): string {
  return [
    `location      ${location}`,
    `cluster       ${cluster}`,
    `contract      ${contract ?? 'not remembered'}`,
    `bootstrapped  ${bootstrapped ? 'yes' : 'no'}`,
    `values        ${values.join(', ') || 'none'}`,
    '',
    table(
      ['AUTHORITY', 'VALID UNTIL'],
      authorities.map(({ name, expires }) => [name, expires.slice(0, 10)]),
    ),
  ].join('\n')
}
