import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { typicalDurations } from '../journal/history.js'
import { lockDeviations } from '../lock/check-lock.js'
import { planReport } from '../report/plan/plan-report.js'
import { planText } from '../report/plan/plan-text.js'
import { stepsText } from '../report/plan/steps-text.js'
import { widthOf } from '../report/screen-width.js'
import { textStyle } from '../report/text-style.js'
import { loadSpec } from '../spec/load-spec.js'
import { planFileText } from './approved-plan.js'
import { cannotWrite } from './cannot-write.js'
import { forEachCluster } from './each-cluster.js'
import { withoutOtherLab } from './forget-other-lab.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { loadOne } from './one-inventory.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'
import { goalFor, targetArg, targetOf } from './target.js'

export default defineCommand({
  description:
    'Shows what `up` would create, change and delete, and what would be lost. --steps lists every step with its reason. Changes nothing.',
  examples: [
    'ichor plan -i inventory/prod',
    'ichor plan --json | jq .changes',
    'ichor plan --steps',
    'ichor plan --exit-code',
    'ichor plan --target dev-wk-2',
    'ichor plan --out tonight.json',
  ],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    ...targetArg,
    exitCode: { type: 'flag', help: 'exit with 4 if there are changes' },
    out: { type: 'text', placeholder: 'FILE', help: 'save the plan for `up --plan FILE`' },
    steps: { type: 'flag', help: 'show every step with its reason' },
    destroy: { type: 'flag', help: 'show what `destroy` would do' },
  },
  async run({ inventory, json, lab, target: given, exitCode, out, steps, destroy }, context) {
    const { preview } = await import('../reconcile.js')
    const goals = await import('../goals.js')
    const inventories = out === undefined ? await loadNamed(inventory, context) : [await loadOne(inventory, context)]
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async (opened) => {
      const { inventory: seen, lab: used } = opened
      const world = await withoutOtherLab(used, opened)
      const spec = await loadSpec(seen, { env: context.env, world, isLab: lab })
      const target = targetOf(given, seen)
      const goal = await goalFor(destroy ? goals.destroy : goals.up, target)
      const { plan: bare, ...facts } = await preview({ spec, world, goal, signal: context.signal })
      const check = { spec, plan: bare, factory: world.factory, isLab: lab, signal: context.signal }
      const plan = { ...bare, notes: [...bare.notes, ...(destroy ? [] : await lockDeviations(check))] }
      const report = planReport(plan, facts)
      if (out !== undefined) {
        const path = resolve(context.cwd, out)
        const text = planFileText(
          report,
          { goal: destroy ? 'destroy' : 'up', target },
          await world.secrets.find(),
          new Date(),
        )
        await writeFile(path, text).catch(cannotWrite(path))
      }
      const layout = {
        style: textStyle(context.stdout, context.env),
        width: widthOf(context.stdout),
        expected: new Map([...typicalDurations(seen.folder)].map(([kind, ms]) => [kind, ms / (used?.speed ?? 1)])),
        stepsHint: destroy ? 'ichor plan --destroy --steps' : 'ichor plan --steps',
      }
      const text = steps ? stepsText(plan, layout) : planText(plan, facts, layout)
      context.stdout.write(json ? `${JSON.stringify(report)}\n` : text)
      return exitCode && report.changes > 0 ? 4 : 0
    })
  },
})
