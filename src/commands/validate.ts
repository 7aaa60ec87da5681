import { problemsText } from '../report/problems-text.js'
import { widthOf } from '../report/screen-width.js'
import { textStyle } from '../report/text-style.js'
import { defineCommand } from './frame/define-command.js'
import { inventoryPaths } from './inventories.js'
import { openHome } from './secrets/home.js'
import { inventoryArg, jsonArg } from './shared-args.js'

export default defineCommand({
  description:
    'Checks the inventory without connecting to Proxmox: every key, the declared capacity, and the machine configs with all patches, rendered with temporary secrets. Reports all problems with file, line and column.',
  examples: ['ichor validate -i inventory/dev', 'ichor validate -i inventory --json'],
  args: { ...inventoryArg, ...jsonArg },
  async run({ inventory, json }, context) {
    const { checkInventory, loadInventories } = await import('../inventory/index.js')
    const { deepProblems } = await import('./validate/deep-problems.js')
    const { adviceProblems } = await import('./validate/advice-problems.js')
    const paths = await inventoryPaths(inventory, context)
    const problems = (await Promise.all(paths.map(checkInventory))).flat()
    if (!problems.some(({ severity }) => severity === 'error')) {
      const inventories = await loadInventories(paths, { env: context.env })
      const deep = inventories.map((one) => deepProblems(one, () => openHome(one, context).store.find()))
      problems.push(...(await Promise.all(deep)).flat())
      if (!problems.some(({ severity }) => severity === 'error'))
        problems.push(...(await Promise.all(inventories.map(adviceProblems))).flat())
    }
    const valid = !problems.some(({ severity }) => severity === 'error')
    if (json) {
      const reported = problems.map(({ excerpt: _, ...problem }) => problem)
      context.stdout.write(`${JSON.stringify({ version: 1, valid, problems: reported })}\n`)
      return valid ? 0 : 2
    }
    context.stderr.write(problemsText(problems, textStyle(context.stderr, context.env), widthOf(context.stderr)))
    if (valid) context.stdout.write(`${paths.join(', ')}: valid\n`)
    return valid ? 0 : 2
  },
})
