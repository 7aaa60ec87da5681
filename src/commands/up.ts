import type { ClusterSpec } from '../desired/cluster-spec.js'
import { changesOf } from '../plan/plan.js'
import type { Result } from '../reconcile.js'
import { readApproved, refuseMovedWorld } from './approved-plan.js'
import { askYes, declinedCode } from './ask.js'
import { loadSpec } from './cluster-spec.js'
import { consentToLoss, deleteDataArg } from './consent-to-loss.js'
import { forgetOtherLab } from './forget-other-lab.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { loadOne } from './one-inventory.js'
import { type Opened, withWorld } from './open-world.js'
import { openReporter } from './reporter.js'
import { forceUnlockArg, inventoryArg, jsonArg, labArg, yesArg } from './shared-args.js'

export default defineCommand({
  description:
    'Looks, shows what would change, asks, and does it. Run again, it changes nothing; killed, the next run finishes the work.',
  examples: [
    'ichor up',
    'ichor up -i inventory/prod --yes',
    'ichor up --until bootstrap',
    'ichor up --plan tonight.json',
  ],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...forceUnlockArg,
    ...deleteDataArg,
    enableContent: { type: 'flag', help: 'let storages hold what is needed, where they do not yet' },
    newEtcd: {
      type: 'flag',
      help: 'give a lost etcd up and start with an empty one: everything in Kubernetes is gone',
    },
    until: {
      type: 'choice',
      choices: ['vms', 'bootstrap', 'addons', 'healthy'],
      default: 'healthy',
      help: 'how far to go',
    },
    plan: {
      type: 'text',
      placeholder: 'FILE',
      help: 'do just what was approved; refused if other steps are needed now',
    },
  },
  async run(
    { inventory, yes, json, lab, forceUnlock, deleteData, enableContent, newEtcd, until, plan: planFile },
    context,
  ) {
    const { reconcile } = await import('../reconcile.js')
    const approved = planFile === undefined ? undefined : await readApproved(planFile, context)
    const inventories =
      approved === undefined ? await loadNamed(inventory, context) : [await loadOne(inventory, context)]
    let code = 0
    for (const one of inventories) {
      await withWorld(one, { lab, mayStartLab: true }, context, async (opened) => {
        const { world, inventory: seen } = opened
        const reporter = openReporter({ json, folder: seen.folder }, context)
        opened.onNotice(reporter.notice)
        if (opened.lab !== undefined) await forgetOtherLab(opened.lab, opened, reporter.notice)
        try {
          const result = await reconcile({
            spec: await loadSpec(seen, {
              until: until as ClusterSpec['until'],
              env: context.env,
              world,
              isLab: lab,
              mayEnableContent: enableContent,
              newEtcd,
            }),
            world,
            goal: 'up',
            emit: reporter.emit,
            signal: context.signal,
            forceUnlock,
            confirm: async (plan) => {
              if (approved !== undefined) refuseMovedWorld(approved, plan, until !== 'healthy')
              if (!json) reporter.showPlan(plan)
              const isAsked = !yes && approved === undefined
              if (!(await consentToLoss(plan, { isAsked, deleteData }, context))) return false
              return !isAsked || changesOf(plan) === 0 || askYes('Make these changes?', context)
            },
          })
          reporter.end()
          if (result.outcome === 'declined') code = declinedCode
          await sayHowItEnded(result, { json, until }, opened, context)
        } finally {
          reporter.end()
        }
      })
    }
    return code
  },
})

async function sayHowItEnded(
  { outcome, changed }: Result,
  { json, until }: { readonly json: boolean; readonly until: string },
  { inventory, world, lab }: Opened,
  context: Context,
): Promise<void> {
  const say = (text: string) => void (json ? context.stderr : context.stdout).write(`${text}\n`)
  const { cluster_name } = inventory.settings
  if (outcome === 'declined') return say('Nothing was changed.')
  const { writeAccess } = await import('./access-files.js')
  for (const file of await writeAccess({ inventory, world, isLab: lab !== undefined }, context)) say(`wrote ${file}`)
  if (outcome === 'nothing-to-do') return say(`${cluster_name} is what the inventory says: nothing to do.`)
  const changes = `${changed} change${changed === 1 ? '' : 's'}`
  const end = until === 'healthy' ? 'is what the inventory says, and healthy' : `has come as far as --until ${until}`
  say(`${cluster_name} ${end}: ${changes}.`)
}
