import { PlanRefused } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Plan } from '../plan/plan.js'
import { askText } from './ask.js'
import { consentToLoss, deleteDataArg } from './consent-to-loss.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { withWorld } from './open-world.js'
import { openReporter } from './reporter.js'
import { forceUnlockArg, inventoryArg, jsonArg, labArg, yesArg } from './shared-args.js'
import { wishOf } from './wish.js'

export default defineCommand({
  description:
    'Shows what goes, asks for the name of the cluster, and takes it away: the VMs that are proven to be ours, their disks and seeds, the pool. Guests, foreign VMs and images stay; so do the secrets, unless --with-secrets.',
  examples: ['ichor destroy -i inventory/dev', 'ichor destroy -i inventory/dev --yes --with-secrets'],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...forceUnlockArg,
    ...deleteDataArg,
    withSecrets: {
      type: 'flag',
      help: 'remove the secrets, too: the cluster can then never be recovered from a backup',
    },
  },
  async run({ inventory, yes, json, lab, forceUnlock, deleteData, withSecrets }, context) {
    const { reconcile } = await import('../reconcile.js')
    for (const one of await loadNamed(inventory, context)) {
      refuseProtected(one)
      await withWorld(one, { lab, mayStartLab: false }, context, async ({ world, inventory: seen }) => {
        const reporter = openReporter({ json, folder: seen.folder }, context)
        try {
          const { outcome } = await reconcile({
            wish: await wishOf(seen, { env: context.env, world, isLab: lab }),
            world,
            goal: 'destroy',
            emit: reporter.emit,
            signal: context.signal,
            forceUnlock,
            confirm: async (plan) => {
              if (!json) reporter.showPlan(plan)
              if (!(await consentToLoss(plan, { isAsked: !yes, deleteData }, context))) return false
              return yes || confirmName(plan, context)
            },
          })
          reporter.end()
          if (outcome === 'declined') return void context.stdout.write('Nothing was changed.\n')
          if (withSecrets) await world.secrets.remove()
          if (!json)
            context.stdout.write(
              `${seen.settings.cluster_name} is gone.${withSecrets ? '' : ` Its secrets stay in ${world.secrets.location}.`}\n`,
            )
        } finally {
          reporter.end()
        }
      })
    }
    return 0
  },
})

async function confirmName({ cluster }: Plan, context: Context): Promise<boolean> {
  const typed = await askText(`Type ${cluster} to destroy it: `, context, 'Run with --yes when nobody is there to ask.')
  return typed === cluster
}

function refuseProtected({ machines, where }: Inventory): void {
  const kept = machines.filter(({ isProtected }) => isProtected).map(({ name }) => name)
  if (kept.length === 0) return
  throw new PlanRefused(`${kept.join(', ')} ${kept.length === 1 ? 'is' : 'are'} protected and never deleted.`, {
    where: where('protect'),
    fix: 'Take the protection out of the inventory first, if you mean it.',
  })
}
