import { resolve } from 'node:path'
import { UsageError } from '../errors.js'
import type { Outcome } from '../events/event.js'
import type { Consent } from '../operations/run.js'
import type { Session } from '../operations/session.js'
import { declinedCode } from './ask.js'
import { dryRunHint, showOnly } from './change/show-preview.js'
import { confirmName } from './confirm-name.js'
import { terminalConsent } from './consent.js'
import { forEachCluster } from './each-cluster.js'
import { exitCodes } from './exit-codes.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { keepRenderedOutOfGit } from './keep-out-of-git.js'
import { openReporter } from './reporter.js'
import { dryRunArg, forceUnlockArg, inventoryArg, jsonArg, labArg, stepsArg, yesArg } from './shared-args.js'

export default defineCommand({
  description:
    'Lets a cluster go: takes the marks, tags and HA rules, the backup job, the pool and the lease of ichor off Proxmox. Every machine runs on, and no node is contacted. --out first writes what another tool needs: the machine configs, talosconfig, kubeconfig and the secrets bundle, unencrypted.',
  examples: ['ichor eject -i inventory/dev --out ejected', 'ichor eject -i inventory/dev --dry-run'],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...forceUnlockArg,
    out: { type: 'text', placeholder: 'DIR', help: 'a folder for the files that another tool needs' },
    ...dryRunArg,
    ...stepsArg,
  },
  async run({ inventory, yes, json, lab, forceUnlock, out, dryRun, steps }, context) {
    const { eject } = await import('../operations/goals.js')
    const { run } = await import('../operations/run.js')
    const inventories = await loadNamed(inventory, context)
    if (out !== undefined && inventories.length > 1) {
      throw new UsageError('The files of several clusters cannot be written into one folder.', {
        where: '--out',
        fix: 'Name one inventory with -i.',
      })
    }
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async (session) => {
      const { cluster_name: cluster } = session.inventory.settings
      refuseFirewall(session)
      if (dryRun) {
        await showOnly({ goal: eject }, { json, steps }, session, context)
        return exitCodes.done
      }
      const write = out === undefined ? undefined : await filesOf(session, resolve(context.cwd, out), context)
      const reporter = openReporter({ json, folder: session.inventory.folder, speed: session.lab?.speed }, context)
      const asked = terminalConsent({ yes }, reporter, context)
      const confirm: Consent['confirm'] = async (plan, signal) => {
        if (plan.goal !== eject.name) return asked.confirm(plan, signal)
        reporter.showPlan(plan, dryRunHint)
        const isAgreed = yes || (await confirmName(cluster, context, 'release'))
        if (isAgreed) await write?.()
        return isAgreed
      }
      try {
        const { outcome } = await run(session, {
          goal: eject,
          forceUnlock,
          consent: { confirm },
          sinks: [reporter.sink],
          signal: context.signal,
        })
        reporter.end()
        if (outcome === 'declined') {
          if (!json) context.stdout.write('Nothing was changed.\n')
          return declinedCode
        }
        if (!json) context.stdout.write(endText(outcome, cluster, out))
        return 0
      } finally {
        reporter.end()
      }
    })
  },
})

/** Its groups can only be removed once the VMs do not use them, and nodes would be cut off without their rules. */
function refuseFirewall({ inventory: { settings, where } }: Session): void {
  if (!settings.firewall.enabled) return
  throw new UsageError('The firewall of the cluster is managed by ichor.', {
    where: where('firewall.enabled'),
    fix: 'Set firewall.enabled to false and run ichor up, then run ichor eject again.',
  })
}

/** Read while the machines are still known as ours; written after consent. */
async function filesOf({ inventory, world, lab, env }: Session, folder: string, { signal }: Context) {
  const { completeSpec } = await import('../operations/spec/complete-spec.js')
  const { renderFromWorld } = await import('../operations/render/rendered-cluster.js')
  const { renderInput } = await import('./render/render-input.js')
  const { renderFiles } = await import('../render/render-files.js')
  const { writeRendered } = await import('../render/write-rendered.js')
  const spec = await completeSpec(inventory, world.secrets, { isLab: lab !== undefined, env })
  const cluster = await renderFromWorld(spec, world, signal)
  const what = { folder, withSecrets: true, seeds: false, classic: false }
  const files = renderFiles(await renderInput(spec, cluster, what))
  return async () => {
    await writeRendered(folder, files)
    await keepRenderedOutOfGit(folder, files)
  }
}

function endText(outcome: Outcome, cluster: string, out: string | undefined): string {
  if (outcome === 'nothing-to-do') return `There is nothing of ${cluster} to release.\n`
  const files = out === undefined ? '' : ` ${out} holds its configs and keys in plain text.`
  return `${cluster} is released: its machines run on, and nothing on Proxmox belongs to ichor.${files}\n`
}
