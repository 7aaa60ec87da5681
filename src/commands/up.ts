import type { ClusterSpec } from '../desired/cluster-spec.js'
import { UsageError } from '../errors.js'
import { StepFailed } from '../execute/step-failed.js'
import { readApproved } from '../operations/approved-plan.js'
import type { Sink } from '../operations/run-log.js'
import { newAgeKey } from '../secrets/sops/age-keys.js'
import { writeAccessOfUnfinished } from './access-files.js'
import { declinedCode } from './ask.js'
import { showOnly } from './change/show-preview.js'
import { terminalConsent } from './consent.js'
import { deleteDataArg } from './consent-to-loss.js'
import { forEachCluster } from './each-cluster.js'
import { exitCodes } from './exit-codes.js'
import { forgetOtherLab } from './forget-other-lab.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { loadOne } from './one-inventory.js'
import { openReporter } from './reporter.js'
import { acceptArg, dryRunArg, forceUnlockArg, inventoryArg, jsonArg, labArg, stepsArg, yesArg } from './shared-args.js'
import { goalFor, targetArg, targetOf } from './target.js'
import { reportEnd, stepsCommand } from './up/report-end.js'

export default defineCommand({
  description:
    'Shows what would change, asks for confirmation, and applies it. If interrupted, the next run finishes the work.',
  examples: [
    'ichor up',
    'ichor up -i inventory/prod --yes',
    'ichor up --dry-run --steps',
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
    ...acceptArg,
    ...deleteDataArg,
    ...dryRunArg,
    ...stepsArg,
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
      help: 'apply a saved plan; refused if the inventory or the steps differ now',
    },
  },
  async run(
    {
      inventory,
      yes,
      json,
      lab,
      forceUnlock,
      accept,
      deleteData,
      target: given,
      enableContent,
      newEtcd,
      until,
      plan: planFile,
      dryRun,
      steps,
    },
    context,
  ) {
    if (dryRun && planFile !== undefined) throw dryRunOfSaved(planFile)
    const { up } = await import('../operations/goals.js')
    const { run } = await import('../operations/run.js')
    const approved = planFile === undefined ? undefined : await readApproved(planFile, context)
    const inventories =
      approved === undefined ? await loadNamed(inventory, context) : [await loadOne(inventory, context)]
    return forEachCluster(inventories, { lab, mayStartLab: !dryRun }, context, async (session) => {
      const { inventory: seen } = session
      const limits = { until: until as ClusterSpec['until'], mayEnableContent: enableContent, intent: { newEtcd } }
      if (dryRun) {
        const goal = await goalFor(up, targetOf(given, seen))
        await showOnly({ goal, limits }, { json, steps }, session, context)
        return exitCodes.done
      }
      const reporter = openReporter({ json, folder: seen.folder, speed: session.lab?.speed }, context)
      let startedAt = Date.now()
      let newKey: string | undefined
      const rememberKey: Sink = (event) => {
        if (event.type === 'run.noted') newKey ??= newAgeKey(event.text)
      }
      if (session.lab !== undefined) await forgetOtherLab(session.lab, session, session.notify)
      const target = approved === undefined ? targetOf(given, seen) : approved.target
      const onAgreed = () => {
        startedAt = Date.now()
      }
      const stepsHint = stepsCommand(session, { target }, context)
      const consent = { yes: yes || approved !== undefined, deleteData, stepsHint, onAgreed }
      try {
        const result = await run(session, {
          goal: await goalFor(up, target),
          limits,
          approved,
          forceUnlock,
          accept,
          consent: terminalConsent(consent, reporter, context),
          sinks: [reporter.sink, rememberKey],
          signal: context.signal,
        })
        reporter.end()
        await reportEnd(result, { json, until, target, startedAt, newKey }, session, context)
        return result.outcome === 'declined' ? declinedCode : 0
      } catch (thrown) {
        reporter.end()
        if (thrown instanceof StepFailed) await writeAccessOfUnfinished(session, context)
        throw thrown
      } finally {
        reporter.end()
      }
    })
  },
})

function dryRunOfSaved(file: string): UsageError {
  return new UsageError('A saved plan is applied as it was approved: --dry-run cannot show another one.', {
    where: `ichor up --plan ${file} --dry-run`,
    fix: 'ichor up --dry-run shows what would be done now.',
  })
}
