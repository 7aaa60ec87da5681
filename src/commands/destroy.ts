import { PlanRefused } from '../errors.js'
import type { Outcome } from '../events.js'
import type { Observed } from '../observe/observed.js'
import { loadSpec } from '../spec/load-spec.js'
import { declinedCode } from './ask.js'
import { confirmName } from './confirm-name.js'
import { consentToLoss, deleteDataArg } from './consent-to-loss.js'
import { removeLeftDrill } from './drill/left-drill.js'
import { forEachCluster } from './each-cluster.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import type { Opened } from './open-world.js'
import { removeSecrets } from './remove-secrets.js'
import { openReporter } from './reporter.js'
import { forceUnlockArg, inventoryArg, jsonArg, labArg, yesArg } from './shared-args.js'

export default defineCommand({
  description:
    'Shows what would be deleted, asks for the name of the cluster, and deletes it: the VMs that are verified as ours, their disks and seeds, and the pool. Guests, other VMs and images are kept; so are the secrets, unless --with-secrets.',
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
      help: 'also delete the secrets: the cluster can then never be recovered from a backup',
    },
    withoutSecrets: {
      type: 'flag',
      help: 'with --yes, if the secrets are lost: delete all VMs of the pool with a mark of the cluster, without verification',
    },
  },
  async run({ inventory, yes, json, lab, forceUnlock, deleteData, withSecrets, withoutSecrets }, context) {
    const { reconcile } = await import('../reconcile.js')
    const { destroy } = await import('../goals.js')
    const inventories = await loadNamed(inventory, context)
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async (opened) => {
      const { world, inventory: seen } = opened
      const cluster = seen.settings.cluster_name
      const reporter = openReporter({ json, folder: seen.folder, speed: opened.lab?.speed }, context)
      opened.onNotice(reporter.notice)
      try {
        await removeLeftDrill(opened, { yes, json }, reporter, context)
        const { outcome } = await reconcile({
          spec: await loadSpec(seen, { env: context.env, world, isLab: lab }),
          world,
          goal: destroy,
          run: reporter.run,
          emit: reporter.emit,
          signal: context.signal,
          forceUnlock,
          confirm: async (plan, facts) => {
            if (!json) reporter.showPlan(plan, facts, 'ichor plan --destroy --steps')
            const isProven = facts.observed.secrets.present
            if (!isProven && yes && !withoutSecrets) throw unproven(cluster, facts.observed)
            if (!isProven) reporter.notice(unprovenText(facts.observed))
            if (!(await consentToLoss(plan, { isAsked: !yes, deleteData }, context))) return false
            return yes || confirmName(cluster, context)
          },
        })
        reporter.end()
        const isGone =
          outcome !== 'declined' &&
          (!withSecrets || (await removeSecrets({ outcome, yes, cluster }, world.secrets, context)))
        if (!json) context.stdout.write(isGone ? destroyedText(outcome, withSecrets, opened) : 'Nothing was changed.\n')
        return isGone ? 0 : declinedCode
      } finally {
        reporter.end()
      }
    })
  },
})

/** Seals cannot be checked without the secrets: only the pool and the marks identify our VMs. */
function unprovenText({ machines, templates }: Observed): string {
  const vms = [...machines, ...templates].map(({ name, vmid, host }) => `${name} (VM ${vmid} on ${host})`).join(', ')
  return `The secrets of this cluster are missing: only their pool and their marks identify these VMs as its own: ${vms}.`
}

function unproven(cluster: string, observed: Observed): PlanRefused {
  return new PlanRefused(unprovenText(observed), {
    where: `cluster ${cluster}`,
    fix: 'Restore the secrets file beside the inventory. If it is lost, run the command without --yes and type the name of the cluster, or with --yes --without-secrets.',
  })
}

function destroyedText(outcome: Outcome, withSecrets: boolean, { world, inventory }: Opened): string {
  const { cluster_name } = inventory.settings
  const gone = outcome === 'nothing-to-do' ? `There is nothing of ${cluster_name} here.` : `${cluster_name} is gone.`
  return `${gone}${withSecrets ? '' : ` Its secrets are kept in ${world.secrets.location}.`}\n`
}
