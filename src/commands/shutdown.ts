import type { Outcome } from '../events/event.js'
import type { Goal } from '../operations/goals.js'
import type { Session } from '../operations/session.js'
import { declinedCode } from './ask.js'
import { dryRunHint, showOnly } from './change/show-preview.js'
import { terminalConsent } from './consent.js'
import { exitCodes } from './exit-codes.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { openReporter } from './reporter.js'
import { dryRunArg, forceUnlockArg, inventoryArg, jsonArg, labArg, stepsArg, yesArg } from './shared-args.js'

export default defineCommand({
  description:
    'Shuts the whole cluster down, for maintenance or because a UPS runs empty: a snapshot of etcd, all workers at once, then the control planes. Nothing is drained, because there is nowhere to go: pods end with their grace period. Proxmox HA leaves the machines off. If interrupted, the same command finishes it; ichor up starts the cluster again: guests, control planes, workers.',
  examples: ['ichor shutdown', 'ichor shutdown --yes --no-snapshot', 'ichor shutdown --guests --dry-run'],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...forceUnlockArg,
    noSnapshot: { type: 'flag', help: 'do not take a snapshot of etcd first' },
    guests: { type: 'flag', help: 'also shut down the guests that ichor created, after the machines' },
    ...dryRunArg,
    ...stepsArg,
  },
  async run({ inventory, lab, noSnapshot, guests, ...flags }, context) {
    const { shutDownAll } = await import('../operations/goals.js')
    const named = await loadOne(inventory, context)
    const goal = shutDownAll({ takesSnapshot: !noSnapshot, withGuests: guests })
    return withWorld(named, { lab, mayStartLab: false }, context, (session) =>
      flags.dryRun
        ? showOnly({ goal }, flags, session, context).then(() => exitCodes.done)
        : carryOut(goal, flags, session, context),
    )
  },
})

interface Flags {
  readonly yes: boolean
  readonly json: boolean
  readonly forceUnlock: boolean
}

async function carryOut(
  goal: Goal,
  { yes, json, forceUnlock }: Flags,
  session: Session,
  context: Context,
): Promise<number> {
  const { run } = await import('../operations/run.js')
  const { settings, folder } = session.inventory
  const reporter = openReporter({ json, folder, speed: session.lab?.speed }, context)
  const question = `Shut down all of ${settings.cluster_name}?`
  try {
    const { outcome } = await run(session, {
      goal,
      forceUnlock,
      consent: terminalConsent({ yes, question, stepsHint: dryRunHint }, reporter, context),
      sinks: [reporter.sink],
      signal: context.signal,
    })
    reporter.end()
    if (!json) context.stdout.write(`${endText(outcome, settings.cluster_name)}\n`)
    return outcome === 'declined' ? declinedCode : 0
  } finally {
    reporter.end()
  }
}

function endText(outcome: Outcome, cluster: string): string {
  if (outcome === 'declined') return 'Nothing was changed.'
  const now = outcome === 'nothing-to-do' ? `${cluster} is already shut down.` : `${cluster} is shut down.`
  return `${now} ichor up starts it again.`
}
