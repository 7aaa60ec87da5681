import { problemsText } from '../report/problems-text.js'
import { textStyle } from '../report/text-style.js'
import { defineCommand } from './frame/define-command.js'
import { inventoryPaths } from './inventories.js'
import { inventoryArg, jsonArg } from './shared-args.js'

export default defineCommand({
  description: 'Reads the inventory without asking Proxmox anything. Every complaint comes at once, with its place.',
  examples: ['ichor validate -i inventory/dev', 'ichor validate -i inventory --json'],
  args: { ...inventoryArg, ...jsonArg },
  async run({ inventory, json }, context) {
    const { checkInventory } = await import('../inventory/index.js')
    const paths = await inventoryPaths(inventory, context)
    const problems = (await Promise.all(paths.map(checkInventory))).flat()
    const valid = !problems.some(({ severity }) => severity === 'error')
    if (json) {
      const reported = problems.map(({ excerpt: _, ...problem }) => problem)
      context.stdout.write(`${JSON.stringify({ version: 1, valid, problems: reported })}\n`)
      return valid ? 0 : 2
    }
    context.stderr.write(problemsText(problems, textStyle(context.stderr, context.env)))
    if (valid) context.stdout.write(`${paths.join(', ')}: valid\n`)
    return valid ? 0 : 2
  },
})
