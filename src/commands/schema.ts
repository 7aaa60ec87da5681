import { defineCommand } from './frame/define-command.js'

export default defineCommand({
  description:
    'Prints the JSON Schema of cluster.yaml, generated from the definition that validates it. Editors with a YAML language server use it for completion and validation.',
  examples: [
    'ichor schema > inventory.schema.json',
    'then, as the first line of cluster.yaml:  # yaml-language-server: $schema=../inventory.schema.json',
  ],
  args: {},
  async run(_args, { stdout }) {
    const { inventoryJsonSchema } = await import('../inventory/index.js')
    stdout.write(`${JSON.stringify(inventoryJsonSchema(), null, 2)}\n`)
    return 0
  },
})
