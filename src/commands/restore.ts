import { lostSince } from '../findings/notes/backups.js'
import type { SnapshotsPort } from '../world.js'
import { declinedCode } from './ask.js'
import { getSecrets, openPlace, recipientsOf } from './backup/place.js'
import { dryRunHint, showPreview } from './change/show-preview.js'
import { restoreEnd } from './change/verb-end.js'
import { terminalConsent } from './consent.js'
import { deleteDataArg } from './consent-to-loss.js'
import { rememberLab } from './forget-other-lab.js'
import type { Context } from './frame/context.js'
import { type ArgValues, defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { openReporter } from './reporter.js'
import { type ChosenSnapshot, chooseSnapshot, readSnapshot } from './restore/chosen-snapshot.js'
import { describeLosses } from './restore/losses.js'
import { type SaveInput, saveEtcd } from './restore/save-etcd.js'
import { acceptArg, dryRunArg, forceUnlockArg, inventoryArg, jsonArg, labArg, stepsArg, yesArg } from './shared-args.js'
import { reportEnd } from './up/report-end.js'

const restoreArgs = {
  ...inventoryArg,
  ...yesArg,
  ...jsonArg,
  ...labArg,
  ...forceUnlockArg,
  ...acceptArg,
  ...deleteDataArg,
  from: { type: 'text', placeholder: 'FOLDER|s3://…', help: 'override backup.etcd.store' },
  foreign: { type: 'flag', help: 'SNAPSHOT is a file written by talosctl or etcdctl' },
  gone: {
    type: 'flag',
    help: 'control planes that do not respond are permanently lost, with their etcd data',
  },
  overHealthy: { type: 'flag', help: 'replace a healthy etcd; its current state is saved first' },
  skipHashCheck: { type: 'flag', help: 'accept a raw copy of a database, which has no hash' },
  ...dryRunArg,
  ...stepsArg,
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

async function restore({ args, chosen, input }: Restore, context: Context): Promise<number> {
  const { opened: session } = input
  const { signal } = context
  const { json, yes, deleteData, forceUnlock, accept } = args
  const losses = await describeLosses(chosen, input, signal)
  if (args.dryRun) {
    showPreview(await preview({ args, chosen, input }, losses, signal), args, session, context)
    return 0
  }
  // The snapshot does not hold the state of the previous lab.
  if (session.lab !== undefined) await rememberLab(session.lab, session.inventory.folder)
  const { restoreEtcd } = await import('../operations/restore.js')
  const reporter = openReporter({ json, folder: session.inventory.folder, speed: session.lab?.speed }, context)
  const question = `Restore etcd from ${chosen.snapshot}?`
  const asked = terminalConsent({ yes, deleteData, question, stepsHint: dryRunHint }, reporter, context)
  const startedAt = Date.now()
  try {
    const result = await restoreEtcd(session, {
      restore: wantedRestore(args, chosen),
      snapshots: snapshotsOf(chosen, input),
      consent: {
        confirm: (plan, stop) => {
          if (plan.goal === 'restore') for (const sentence of losses) session.notify(sentence)
          return asked.confirm(plan, stop)
        },
      },
      consentToUp: terminalConsent({ yes, deleteData }, reporter, context),
      forceUnlock,
      accept,
      sinks: [reporter.sink],
      signal,
    })
    reporter.end()
    await reportEnd(result, { json, end: restoreEnd(chosen.snapshot), startedAt }, session, context)
    return result.outcome === 'declined' ? declinedCode : 0
  } finally {
    reporter.end()
  }
}

async function preview({ args, chosen, input }: Restore, losses: readonly string[], signal: AbortSignal) {
  const { restoreFrom } = await import('../operations/goals.js')
  const { previewRun } = await import('../operations/preview.js')
  const { world, ...session } = input.opened
  const goal = restoreFrom({ ...wantedRestore(args, chosen), run: 'preview' })
  const own = { ...session, world: { ...world, snapshots: snapshotsOf(chosen, input) } }
  const plan = await previewRun(own, { goal, signal })
  const subject = { kind: 'cluster', name: session.inventory.settings.cluster_name } as const
  const lost = losses.map((text) => lostSince.note(text, { subject }))
  return { ...plan, notes: [...plan.notes, ...losses], findings: [...plan.findings, ...lost] }
}

function wantedRestore({ gone, overHealthy }: Restore['args'], { snapshot, skipHashCheck, members }: ChosenSnapshot) {
  return { snapshot, skipHashCheck, mayBeGone: gone, overHealthy, members }
}

function snapshotsOf(chosen: ChosenSnapshot, input: SaveInput): SnapshotsPort {
  return {
    location: input.place.store.location,
    save: saveEtcd(input),
    read: (stop) => readSnapshot(chosen, stop),
  }
}
