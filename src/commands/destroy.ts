import type { PlanRefused } from '../errors.js'
import type { Outcome } from '../events/event.js'
import type { PlanView } from '../events/plan-view.js'
import { missingSecrets } from '../findings/refusals/secrets.js'
import type { Consent } from '../operations/run.js'
import type { Session } from '../operations/session.js'
import { declinedCode } from './ask.js'
import { dryRunHint, showOnly } from './change/show-preview.js'
import { confirmName } from './confirm-name.js'
import { terminalConsent } from './consent.js'
import { consentToLoss, deleteDataArg } from './consent-to-loss.js'
import { forEachCluster } from './each-cluster.js'
import { exitCodes } from './exit-codes.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { removeSecrets } from './remove-secrets.js'
import { openReporter } from './reporter.js'
import { dryRunArg, forceUnlockArg, inventoryArg, jsonArg, labArg, stepsArg, yesArg } from './shared-args.js'

export default defineCommand({
  description:
    'Shows what would be deleted, asks for the name of the cluster, and deletes it: the VMs that are verified as ours, their disks and seeds, and the pool. Guests, other VMs and images are kept; so are the secrets, unless --with-secrets.',
  examples: [
    'ichor destroy -i inventory/dev',
    'ichor destroy --dry-run',
    'ichor destroy -i inventory/dev --yes --with-secrets',
  ],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...forceUnlockArg,
    ...deleteDataArg,
    ...dryRunArg,
    ...stepsArg,
    withSecrets: {
      type: 'flag',
      help: 'also delete the secrets: the cluster can then never be recovered from a backup',
    },
    withoutSecrets: {
      type: 'flag',
      help: 'with --yes, if the secrets are lost: delete all VMs of the pool with a mark of the cluster, without verification',
    },
  },
  async run({ inventory, yes, json, lab, forceUnlock, deleteData, withSecrets, withoutSecrets, ...flags }, context) {
    const { destroy } = await import('../operations/goals.js')
    const { run } = await import('../operations/run.js')
    const inventories = await loadNamed(inventory, context)
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async (session) => {
      if (flags.dryRun) {
        await showOnly({ goal: destroy }, { json, steps: flags.steps }, session, context)
        return exitCodes.done
      }
      const { world, inventory: seen } = session
      const cluster = seen.settings.cluster_name
      const reporter = openReporter({ json, folder: seen.folder, speed: session.lab?.speed }, context)
      const asked = terminalConsent({ yes }, reporter, context)
      const confirm: Consent['confirm'] = async (plan, signal) => {
        if (plan.goal !== destroy.name) return asked.confirm(plan, signal)
        reporter.showPlan(plan, dryRunHint)
        const isProven = plan.cluster_id !== null
        if (!isProven && yes && !withoutSecrets) throw unproven(plan)
        if (!isProven) session.notify(unprovenText(plan))
        if (!(await consentToLoss(plan, { isAsked: !yes, deleteData }, context))) return false
        return yes || confirmName(cluster, context)
      }
      try {
        const { outcome } = await run(session, {
          goal: destroy,
          forceUnlock,
          consent: { confirm },
          sinks: [reporter.sink],
          signal: context.signal,
        })
        reporter.end()
        const isKept = !withSecrets && (await world.secrets.find()) !== undefined
        // The next cluster of this folder is another one.
        if (outcome === 'done' && !withSecrets && !isKept) await world.secrets.remove()
        const isGone =
          outcome !== 'declined' &&
          (!withSecrets || (await removeSecrets({ outcome, yes, cluster }, world.secrets, context)))
        if (!json) context.stdout.write(isGone ? destroyedText(outcome, isKept, session) : 'Nothing was changed.\n')
        return isGone ? 0 : declinedCode
      } finally {
        reporter.end()
      }
    })
  },
})

/** Seals cannot be checked without the secrets: only the pool and the marks identify our VMs. */
function unprovenText({ machines, others }: PlanView): string {
  const vms = [...machines, ...others]
    .flatMap(({ name, vmid, host }) => (vmid === null ? [] : [`${name} (VM ${vmid} on ${host})`]))
    .join(', ')
  return `The secrets of this cluster are missing: only their pool and their marks identify these VMs as its own: ${vms}.`
}

function unproven(plan: PlanView): PlanRefused {
  return missingSecrets.refuse(unprovenText(plan), {
    subject: { kind: 'cluster', name: plan.cluster },
    where: `cluster ${plan.cluster}`,
    fix: 'Restore the secrets file beside the inventory. If it is lost, run the command without --yes and type the name of the cluster, or with --yes --without-secrets.',
  })
}

function destroyedText(outcome: Outcome, isKept: boolean, { world, inventory }: Session): string {
  const { cluster_name } = inventory.settings
  const gone = outcome === 'nothing-to-do' ? `There is nothing of ${cluster_name} here.` : `${cluster_name} is gone.`
  return `${gone}${isKept ? ` Its secrets are kept in ${world.secrets.location}.` : ''}\n`
}
