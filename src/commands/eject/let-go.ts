import { resolve } from 'node:path'
import { UsageError } from '../../errors.js'
import type { Outcome } from '../../events/event.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Consent } from '../../operations/run.js'
import type { Session } from '../../operations/session.js'
import { declinedCode } from '../ask.js'
import { dryRunHint, showOnly } from '../change/show-preview.js'
import { confirmName } from '../confirm-name.js'
import { terminalConsent } from '../consent.js'
import { forEachCluster } from '../each-cluster.js'
import { exitCodes } from '../exit-codes.js'
import type { Context } from '../frame/context.js'
import { keepRenderedOutOfGit } from '../keep-out-of-git.js'
import { openReporter } from '../reporter.js'

export interface EjectFlags {
  readonly yes: boolean
  readonly json: boolean
  readonly lab: boolean
  readonly forceUnlock: boolean
  readonly dryRun: boolean
  readonly steps: boolean
  /** The folder for the files that another tool needs. */
  readonly out?: string | undefined
}

/** Takes everything off Proxmox that makes the machines of these clusters ours. */
export async function letGo(
  inventories: readonly Inventory[],
  { yes, json, lab, forceUnlock, out, dryRun, steps }: EjectFlags,
  context: Context,
): Promise<number> {
  const { eject } = await import('../../operations/goals.js')
  const { run } = await import('../../operations/run.js')
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
}

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
  const { completeSpec } = await import('../../operations/spec/complete-spec.js')
  const { renderFromWorld } = await import('../../operations/render/rendered-cluster.js')
  const { renderInput } = await import('../render/render-input.js')
  const { ejectFiles } = await import('./eject-files.js')
  const { renderFiles } = await import('../../render/render-files.js')
  const { writeRendered } = await import('../../render/write-rendered.js')
  const spec = await completeSpec(inventory, world.secrets, { isLab: lab !== undefined, env })
  const cluster = await renderFromWorld(spec, world, signal)
  const what = { folder, withSecrets: true, seeds: false, classic: false }
  const input = await renderInput(spec, cluster, what)
  const files = [...renderFiles(input), ...ejectFiles(spec, cluster, input)]
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
