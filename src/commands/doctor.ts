import { join } from 'node:path'
import { UsageError } from '../errors.js'
import { findingsAtRun } from '../events/history.js'
import { byCause } from '../findings/by-cause.js'
import type { Finding } from '../findings/finding.js'
import { type Outlook, outlookOf } from '../findings/outlook.js'
import type { Session } from '../operations/session.js'
import { doctorText } from '../report/doctor-text.js'
import { errorReport, errorText } from '../report/error.js'
import { widthOf } from '../report/screen-width.js'
import { textStyle } from '../report/text-style.js'
import { cureFindings } from './doctor/cure-findings.js'
import { forEachCluster } from './each-cluster.js'
import { exitCodes, exitZeroArg, verdictCode } from './exit-codes.js'
import { factsBeside } from './facts-beside.js'
import { withoutOtherLab } from './forget-other-lab.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { lookAgain } from './look-again.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { acceptArg, forceUnlockArg, inventoryArg, jsonArg, labArg, stepsArg, yesArg } from './shared-args.js'

const watchEveryMs = 10_000

export default defineCommand({
  description:
    'Compares Proxmox, Talos, etcd and Kubernetes, and reports what does not fit, why, and what to do. Changes nothing without --fix, which shows a plan and asks first. Exits with 4 if something is wrong or will be, with 1 if it could not look.',
  examples: [
    'ichor doctor',
    'ichor doctor --watch',
    'ichor doctor --json | jq .findings',
    'ichor doctor --since last',
    'ichor doctor --fix',
    'ichor doctor --fix ICH0507 --dry-run',
    'ichor doctor --fix dev-wk-1 --yes',
  ],
  positionals: [
    { name: 'WHAT', required: false, help: 'with --fix: only findings with this code, or of this machine or node' },
  ],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    ...exitZeroArg,
    ...yesArg,
    ...forceUnlockArg,
    ...acceptArg,
    ...stepsArg,
    watch: { type: 'flag', help: 'look again every ten seconds until Ctrl-C' },
    fix: {
      type: 'flag',
      help: 'cure what can be cured safely: defragment etcd, clear its alarms, approve, and what ichor up does for the machines concerned',
    },
    since: {
      type: 'text',
      placeholder: 'RUN',
      help: 'only what the plan of that run on this computer did not name: its ID, or last',
    },
    dryRun: { type: 'flag', help: 'with --fix: show the plan; change nothing' },
  },
  async run({ inventory, lab, fix, watch, exitZero, ...flags }, context, [what]) {
    if (!fix && what !== undefined)
      throw new UsageError(`${what} has no meaning without --fix.`, {
        where: 'command line',
        fix: `ichor doctor --fix ${what}`,
      })
    if (fix) {
      const one = await loadOne(inventory, context)
      return withWorld(one, { lab, mayStartLab: false }, context, (opened) =>
        cureFindings(what, flags, opened, context),
      )
    }
    const inventories = await loadNamed(inventory, context)
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async (opened) => {
      if (watch) {
        await watchFindings(opened, flags, context)
        return 0
      }
      const { text, outlook } = await lookOnce(opened, flags, context)
      context.stdout.write(text)
      return outlook === 'unknown' ? exitCodes.failed : verdictCode(outlook === 'well', { exitZero })
    })
  },
})

interface Flags {
  readonly json: boolean
  readonly since: string | undefined
}

async function watchFindings(opened: Session, flags: Flags, context: Context): Promise<void> {
  const { json } = flags
  const { stdout, env, signal } = context
  const clears = !json && stdout.isTTY === true
  await lookAgain({
    look: async () => (await lookOnce(opened, flags, context)).text,
    failed: (thrown) => (json ? `${JSON.stringify(errorReport(thrown))}\n` : errorText(thrown, textStyle(stdout, env))),
    show: (text) => void stdout.write(`${clears ? '\u001b[2J\u001b[H' : ''}${text}`),
    everyMs: watchEveryMs,
    signal,
  })
}

async function lookOnce(
  opened: Session,
  { json, since }: Flags,
  context: Context,
): Promise<{ readonly text: string; readonly outlook: Outlook }> {
  const { inspect } = await import('../operations/doctor.js')
  const session = { ...opened, world: await withoutOtherLab(opened.lab, opened) }
  const { facts, examination } = await inspect(session, factsBeside(session, context), context.signal)
  const { unknown } = examination
  const findings = since === undefined ? examination.findings : newSince(since, examination.findings, opened)
  const outlook = outlookOf(findings, facts.observed)
  const cluster = opened.inventory.settings.cluster_name
  const text = json
    ? `${JSON.stringify({ version: 1, cluster, healthy: outlook === 'well', findings, unknown })}\n`
    : doctorText(
        { cluster, groups: byCause(findings), unknown },
        textStyle(context.stdout, context.env),
        widthOf(context.stdout),
      )
  return { text, outlook }
}

/** What the plan of that run did not name. */
function newSince(run: string, findings: readonly Finding[], { inventory }: Session): Finding[] {
  const then = findingsAtRun(inventory.folder, run)
  if (then === undefined)
    throw new UsageError(`There is no journal of a run ${run} with a plan.`, {
      where: join(inventory.folder, '.ichor', 'journal'),
      fix: 'Give the ID of a run, which is the name of its file there, or --since last.',
    })
  const known = new Set(then.map(({ code, subject }) => `${code} ${subject.name}`))
  return findings.filter(({ code, subject }) => !known.has(`${code} ${subject.name}`))
}
