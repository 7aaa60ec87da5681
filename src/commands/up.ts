import type { Wish } from '../desired/wish.js'
import { changesOf } from '../plan/plan.js'
import { refuseMovedWorld } from './approved-plan.js'
import { askYes } from './ask.js'
import { consentToLoss, deleteDataArg } from './consent-to-loss.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { type Opened, withWorld } from './open-world.js'
import { openReporter } from './reporter.js'
import { forceUnlockArg, inventoryArg, jsonArg, labArg, yesArg } from './shared-args.js'
import { wishOf } from './wish.js'

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
    plan: { type: 'text', placeholder: 'FILE', help: 'do just what was approved; refused if the world has moved' },
  },
  async run(
    { inventory, yes, json, lab, forceUnlock, deleteData, enableContent, newEtcd, until, plan: approved },
    context,
  ) {
    const { reconcile } = await import('../reconcile.js')
    for (const one of await loadNamed(inventory, context)) {
      await withWorld(one, { lab, mayStartLab: true }, context, async (opened) => {
        const { world, inventory: seen } = opened
        const reporter = openReporter({ json, folder: seen.folder }, context)
        opened.hearNotices(reporter.notice)
        try {
          const result = await reconcile({
            wish: await wishOf(seen, {
              until: until as Wish['until'],
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
              if (approved !== undefined) await refuseMovedWorld(approved, plan, context)
              if (!json) reporter.showPlan(plan)
              const isAsked = !yes && approved === undefined
              if (!(await consentToLoss(plan, { isAsked, deleteData }, context))) return false
              return !isAsked || changesOf(plan) === 0 || askYes('Make these changes?', context)
            },
          })
          reporter.end()
          if (!json) await sayHowItEnded(result.outcome, opened, context)
        } finally {
          reporter.end()
        }
      })
    }
    return 0
  },
})

async function sayHowItEnded(outcome: string, { inventory, world, lab }: Opened, context: Context): Promise<void> {
  const { cluster_name } = inventory.settings
  if (outcome === 'declined') return void context.stdout.write('Nothing was changed.\n')
  if (outcome === 'nothing-to-do') context.stdout.write(`${cluster_name} is what the inventory says: nothing to do.\n`)
  const { writeAccess } = await import('./access-files.js')
  const files = await writeAccess({ inventory, world, isLab: lab !== undefined }, context)
  if (files.length > 0) context.stdout.write(`${files.map((file) => `wrote ${file}`).join('\n')}\n`)
}
