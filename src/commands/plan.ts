import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { writeDurably } from '../durable-file.js'
import { typicalDurations } from '../events/history.js'
import type { PlanView } from '../events/plan-view.js'
import { planFileText } from '../operations/approved-plan.js'
import { ledgerIn } from '../ownership/lease.js'
import { planText } from '../report/plan/plan-text.js'
import { stepsText } from '../report/plan/steps-text.js'
import { widthOf } from '../report/screen-width.js'
import { textStyle } from '../report/text-style.js'
import { cannotWrite } from './cannot-write.js'
import { forEachCluster } from './each-cluster.js'
import { exitCodes } from './exit-codes.js'
import { withoutOtherLab } from './forget-other-lab.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { loadOne } from './one-inventory.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'
import { goalFor, targetArg, targetOf } from './target.js'
import { stepsCommand } from './up/report-end.js'

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
    'ichor plan --out approvals/',
  ],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    ...targetArg,
    exitCode: { type: 'flag', help: 'exit with 4 if there are changes' },
    out: {
      type: 'text',
      placeholder: 'FILE',
      help: 'save the plan for `up --plan FILE`; in a folder, under its digest',
    },
    steps: { type: 'flag', help: 'show every step with its reason' },
    destroy: { type: 'flag', help: 'show what `destroy` would do' },
  },
  async run({ inventory, json, lab, target: given, exitCode, out, steps, destroy }, context) {
    const { previewRun } = await import('../operations/preview.js')
    const goals = await import('../operations/goals.js')
    const inventories = out === undefined ? await loadNamed(inventory, context) : [await loadOne(inventory, context)]
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async (opened) => {
      const { inventory: seen, lab: used } = opened
      const world = await withoutOtherLab(used, opened)
      const target = targetOf(given, seen)
      const goal = await goalFor(destroy ? goals.destroy : goals.up, target)
      const plan = await previewRun({ ...opened, world }, { goal, signal: context.signal })
      if (out !== undefined) {
        const path = await planPath(resolve(context.cwd, out), out, plan)
        const { number: lease } = ledgerIn(await world.proxmox.pools.list(context.signal), seen.settings.proxmox.pool)
        const secrets = await world.secrets.find()
        const place = { isLab: used !== undefined }
        const text = await planFileText(plan, { madeFrom: seen, secrets, lease, place })
        await writeDurably(path, text, { mode: 0o644 }).catch(cannotWrite(path))
      }
      const layout = {
        style: textStyle(context.stdout, context.env),
        width: widthOf(context.stdout),
        expected: new Map([...typicalDurations(seen.folder)].map(([kind, ms]) => [kind, ms / (used?.speed ?? 1)])),
        stepsHint: stepsCommand(opened, { target, goal: destroy ? ' --destroy' : '' }, context),
      }
      const text = steps ? stepsText(plan, layout) : planText(plan, layout)
      context.stdout.write(json ? `${JSON.stringify(plan)}\n` : text)
      return exitCode && plan.changes > 0 ? exitCodes.pending : exitCodes.done
    })
  },
})

/** In a folder, a plan is named after its digest. */
async function planPath(path: string, given: string, { digest }: PlanView): Promise<string> {
  const isFolder =
    given.endsWith('/') ||
    (await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  return isFolder ? join(path, `${digest}.json`) : path
}
