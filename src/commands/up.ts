import type { ClusterSpec } from '../desired/cluster-spec.js'
import { checkLock } from '../lock/check-lock.js'
import { changesOf } from '../plan/plan.js'
import { newAgeKey } from '../secrets/sops/age-keys.js'
import { loadSpec } from '../spec/load-spec.js'
import { readApproved, refuseMovedWorld, refuseUnsealed } from './approved-plan.js'
import { askYes, declinedCode } from './ask.js'
import { consentToLoss, deleteDataArg } from './consent-to-loss.js'
import { removeLeftDrill } from './drill/left-drill.js'
import { forEachCluster } from './each-cluster.js'
import { forgetOtherLab } from './forget-other-lab.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { loadOne } from './one-inventory.js'
import { openReporter } from './reporter.js'
import { forceUnlockArg, inventoryArg, jsonArg, labArg, yesArg } from './shared-args.js'
import { goalFor, targetArg, targetOf } from './target.js'
import { reportEnd } from './up/report-end.js'

export default defineCommand({
  description:
    'Shows what would change, asks for confirmation, and applies it. If interrupted, the next run finishes the work.',
  examples: [
    'ichor up',
    'ichor up -i inventory/prod --yes',
    'ichor up --until bootstrap',
    'ichor up --target dev-wk-2',
    'ichor up --plan tonight.json',
  ],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...forceUnlockArg,
    ...deleteDataArg,
    ...targetArg,
    enableContent: { type: 'flag', help: 'allow the required content types on storages' },
    newEtcd: {
      type: 'flag',
      help: 'give up a lost etcd and start with an empty one: all Kubernetes objects are lost',
    },
    until: {
      type: 'choice',
      choices: ['vms', 'bootstrap', 'addons', 'healthy'],
      default: 'healthy',
      help: 'stop after this stage',
    },
    plan: {
      type: 'text',
      placeholder: 'FILE',
      help: 'apply a saved plan; refused if other steps are needed now',
    },
  },
  async run(
    {
      inventory,
      yes,
      json,
      lab,
      forceUnlock,
      deleteData,
      target: given,
      enableContent,
      newEtcd,
      until,
      plan: planFile,
    },
    context,
  ) {
    const { reconcile } = await import('../reconcile.js')
    const { up } = await import('../goals.js')
    const approved = planFile === undefined ? undefined : await readApproved(planFile, context)
    const inventories =
      approved === undefined ? await loadNamed(inventory, context) : [await loadOne(inventory, context)]
    return forEachCluster(inventories, { lab, mayStartLab: true }, context, async (opened) => {
      const { world, inventory: seen } = opened
      const reporter = openReporter({ json, folder: seen.folder, speed: opened.lab?.speed }, context)
      let confirmedAt = Date.now()
      let newKey: string | undefined
      opened.onNotice((text) => {
        newKey ??= newAgeKey(text)
        reporter.notice(text)
      })
      if (opened.lab !== undefined) await forgetOtherLab(opened.lab, opened, reporter.notice)
      if (approved !== undefined) refuseUnsealed(approved, await world.secrets.find())
      const target = approved === undefined ? targetOf(given, seen) : approved.target
      try {
        if (approved === undefined) await removeLeftDrill(opened, { yes, json }, reporter, context)
        const spec = await loadSpec(seen, {
          until: until as ClusterSpec['until'],
          env: context.env,
          world,
          isLab: lab,
          mayEnableContent: enableContent,
          newEtcd,
        })
        const result = await reconcile({
          spec,
          world,
          goal: await goalFor(up, target),
          run: reporter.run,
          emit: reporter.emit,
          signal: context.signal,
          forceUnlock,
          ...(approved?.seal === null ? { digest: 'plain' as const } : {}),
          confirm: async (plan, facts) => {
            await checkLock({ spec, plan, factory: world.factory, isLab: lab, signal: context.signal })
            if (approved !== undefined) refuseMovedWorld(approved, plan, until !== 'healthy')
            if (json) for (const note of plan.notes) reporter.notice(note)
            else reporter.showPlan(plan, facts)
            const isAsked = !yes && approved === undefined
            if (!(await consentToLoss(plan, { isAsked, deleteData }, context))) return false
            const isWanted = !isAsked || changesOf(plan) === 0 || (await askYes('Make these changes?', context))
            confirmedAt = Date.now()
            return isWanted
          },
        })
        reporter.end()
        await reportEnd(result, { json, until, target, startedAt: confirmedAt, newKey }, opened, context)
        return result.outcome === 'declined' ? declinedCode : 0
      } finally {
        reporter.end()
      }
    })
  },
})
