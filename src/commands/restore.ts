import { Incomplete } from '../errors.js'
import { checkLock } from '../lock/check-lock.js'
import { changesOf } from '../plan/plan.js'
import type { Reconcile, Result } from '../reconcile.js'
import { loadSpec } from '../spec/load-spec.js'
import { askYes, declinedCode } from './ask.js'
import { getSecrets, openPlace, recipientsOf } from './backup/place.js'
import { dryRunHint, showPreview } from './change/show-preview.js'
import { consentToLoss, deleteDataArg } from './consent-to-loss.js'
import { removeLeftDrill } from './drill/left-drill.js'
import { rememberLab } from './forget-other-lab.js'
import type { Context } from './frame/context.js'
import { type ArgValues, defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { openReporter, type Reporter } from './reporter.js'
import { type ChosenSnapshot, chooseSnapshot, readSnapshot } from './restore/chosen-snapshot.js'
import { describeLosses } from './restore/losses.js'
import { type SaveInput, saveEtcd } from './restore/save-etcd.js'
import { forceUnlockArg, inventoryArg, jsonArg, labArg, yesArg } from './shared-args.js'
import { reportEnd } from './up/report-end.js'

const restoreArgs = {
  ...inventoryArg,
  ...yesArg,
  ...jsonArg,
  ...labArg,
  ...forceUnlockArg,
  ...deleteDataArg,
  from: { type: 'text', placeholder: 'FOLDER|s3://…', help: 'override backup.etcd.store' },
  foreign: { type: 'flag', help: 'SNAPSHOT is a file written by talosctl or etcdctl' },
  gone: {
    type: 'flag',
    help: 'control planes that do not respond are permanently lost, with their etcd data',
  },
  overHealthy: { type: 'flag', help: 'replace a healthy etcd; its current state is saved first' },
  skipHashCheck: { type: 'flag', help: 'accept a raw copy of a database, which has no hash' },
  dryRun: { type: 'flag', help: 'show the plan and what would be lost; change nothing' },
} as const

export default defineCommand({
  description:
    'Restores etcd, and with it all Kubernetes objects, from a snapshot. Shows what would be lost, saves the current state, wipes or deletes the old members, recovers etcd on the first control plane and then does what `up` does. If interrupted, run the same command again.',
  examples: [
    'ichor restore dev-20261115T120000Z-1a2b3c4d',
    'ichor restore --foreign etcd.snapshot',
    'ichor restore dev-20261115T120000Z-1a2b3c4d --over-healthy --dry-run',
  ],
  positionals: [{ name: 'SNAPSHOT', required: true, help: 'name from `ichor backup list`; with --foreign a file' }],
  args: restoreArgs,
  async run(args, context, [named = '']) {
    const one = await loadOne(args.inventory, context)
    const place = await openPlace(one, { to: args.from, lab: args.lab }, context)
    const secrets = await getSecrets(place)
    const recipients = await recipientsOf(one, place)
    const { talos_version: talosVersion, cluster_name: cluster } = one.settings
    const { foreign: isForeign, skipHashCheck } = args
    const chosen = await chooseSnapshot({ named, isForeign, skipHashCheck, talosVersion, cluster }, place, context)
    return withWorld(one, { lab: args.lab, mayStartLab: true }, context, async (opened) =>
      restore({ args, chosen, input: { opened, place, secrets, recipients } }, context),
    )
  },
})

interface Restore {
  readonly args: ArgValues<typeof restoreArgs>
  readonly chosen: ChosenSnapshot
  readonly input: SaveInput
}

/** Two runs: one that only restores etcd, and then an ordinary `up`. */
async function restore({ args, chosen, input }: Restore, context: Context): Promise<number> {
  const { up } = await import('../goals.js')
  const { reconcile } = await import('../reconcile.js')
  const { opened } = input
  const reporter = openReporter({ json: args.json, folder: opened.inventory.folder, speed: opened.lab?.speed }, context)
  opened.onNotice(reporter.notice)
  const request = await requestOf({ args, chosen, input }, reporter, context)
  const losses = await describeLosses(chosen, input, context.signal)
  const startedAt = Date.now()
  const confirm = (question: string, hint?: string, before: readonly string[] = []): Reconcile['confirm'] => {
    return async (plan, facts) => {
      const { factory } = opened.world
      await checkLock({ spec: request.spec, plan, factory, isLab: args.lab, signal: context.signal })
      for (const sentence of before) reporter.notice(sentence)
      if (!args.json) reporter.showPlan(plan, facts, hint)
      const isAsked = !args.yes
      if (!(await consentToLoss(plan, { isAsked, deleteData: args.deleteData }, context))) return false
      return !isAsked || changesOf(plan) === 0 || askYes(question, context)
    }
  }
  try {
    if (args.dryRun) return await showPreview({ ...request, notes: losses }, args, { ...opened, ...request }, context)
    // The snapshot does not hold the state of the previous lab.
    if (opened.lab !== undefined) await rememberLab(opened.lab, opened.inventory.folder)
    await removeLeftDrill(opened, args, reporter, context)
    const question = `Restore etcd from ${chosen.snapshot}?`
    const restored = await reconcile({ ...request, confirm: confirm(question, dryRunHint, losses) }).catch(
      goOnIfIncomplete,
    )
    const isDeclined = restored.outcome === 'declined'
    const result = isDeclined
      ? restored
      : await reconcile({ ...request, goal: up, confirm: confirm('Make these changes?') })
    reporter.end()
    const end = { json: args.json, until: 'healthy', startedAt, newKey: undefined }
    const changed = restored.changed + (isDeclined ? 0 : result.changed)
    const outcome = result.outcome === 'declined' ? 'declined' : 'done'
    await reportEnd({ outcome, changed }, end, opened, context)
    return outcome === 'declined' ? declinedCode : 0
  } finally {
    reporter.end()
  }
}

async function requestOf({ args, chosen, input }: Restore, reporter: Reporter, { env, signal }: Context) {
  const { restoreFrom } = await import('../goals.js')
  const { inventory, world } = input.opened
  const goal = restoreFrom({
    snapshot: chosen.snapshot,
    run: reporter.run,
    skipHashCheck: chosen.skipHashCheck,
    mayBeGone: args.gone,
    overHealthy: args.overHealthy,
    members: chosen.members,
  })
  const snapshots = {
    location: input.place.store.location,
    save: saveEtcd(input),
    read: (stop: AbortSignal) => readSnapshot(chosen, stop),
  }
  return {
    spec: await loadSpec(inventory, { env, world, isLab: args.lab }),
    world: { ...world, snapshots },
    goal,
    emit: reporter.emit,
    signal,
    forceUnlock: args.forceUnlock,
  }
}

/**
 * etcd is restored, but machines that were given up are still missing: `up` does what is possible, and reports the
 * rest.
 */
function goOnIfIncomplete(thrown: unknown): Result {
  if (!(thrown instanceof Incomplete)) throw thrown
  return { outcome: 'incomplete', changed: 0 }
}
