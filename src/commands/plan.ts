import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { planReport, planText } from '../report/plan-text.js'
import { textStyle } from '../report/text-style.js'
import { cannotWrite } from './cannot-write.js'
import { loadSpec } from './cluster-spec.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Looks at what is there and shows every step that `up` would take, in rounds, with its reason. Changes nothing.',
  examples: [
    'ichor plan -i inventory/prod',
    'ichor plan --json | jq .changes',
    'ichor plan --exit-code',
    'ichor plan --out tonight.json',
  ],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    exitCode: { type: 'flag', help: 'exit with 4 when there is something to change' },
    out: { type: 'text', placeholder: 'FILE', help: 'write the plan, for approval and `up --plan FILE`' },
    destroy: { type: 'flag', help: 'show what `destroy` would do' },
  },
  async run({ inventory, json, lab, exitCode, out, destroy }, context) {
    const { preview } = await import('../reconcile.js')
    let changes = 0
    const inventories = out === undefined ? await loadNamed(inventory, context) : [await loadOne(inventory, context)]
    for (const one of inventories) {
      await withWorld(one, { lab, mayStartLab: false }, context, async ({ world, inventory: seen }) => {
        const spec = await loadSpec(seen, { env: context.env, world, isLab: lab })
        const { plan } = await preview({ spec, world, goal: destroy ? 'destroy' : 'up', signal: context.signal })
        const report = planReport(plan)
        changes += report.changes
        if (out !== undefined) {
          const path = resolve(context.cwd, out)
          await writeFile(path, `${JSON.stringify(report, null, 2)}\n`).catch(cannotWrite(path))
        }
        context.stdout.write(
          json
            ? `${JSON.stringify(report)}\n`
            : planText(plan, textStyle(context.stdout, context.env), context.stdout.columns),
        )
      })
    }
    return exitCode && changes > 0 ? 4 : 0
  },
})
