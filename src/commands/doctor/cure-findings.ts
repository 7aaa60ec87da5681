import type { Finding } from '../../findings/finding.js'
import { cure as cureGoal } from '../../operations/goals.js'
import type { Session } from '../../operations/session.js'
import type { Cures } from '../../plan/plan-cures.js'
import { cureText } from '../../report/cure-text.js'
import { declinedCode } from '../ask.js'
import { dryRunHint, showPreview } from '../change/show-preview.js'
import { terminalConsent } from '../consent.js'
import { exitCodes } from '../exit-codes.js'
import { factsBeside } from '../facts-beside.js'
import { withoutOtherLab } from '../forget-other-lab.js'
import type { Context } from '../frame/context.js'
import { openReporter } from '../reporter.js'

interface Flags {
  readonly yes: boolean
  readonly json: boolean
  readonly forceUnlock: boolean
  readonly accept: readonly string[]
  readonly dryRun: boolean
  readonly steps: boolean
}

/** Diagnoses, then plans, shows and carries out the cures of all findings, of one code or of one machine. */
export async function cureFindings(
  what: string | undefined,
  flags: Flags,
  opened: Session,
  context: Context,
): Promise<number> {
  const { inspect } = await import('../../operations/doctor.js')
  const { curesOf, stillThere } = await import('../../operations/cures.js')
  const { curedSpec } = await import('../../operations/change/cured-spec.js')
  const session = { ...opened, world: await withoutOtherLab(opened.lab, opened) }
  const { facts, examination } = await inspect(session, factsBeside(session, context), context.signal)
  const { cures, cured, left } = curesOf(examination.findings, what, facts)
  context.stderr.write(leftText(left))
  if (cured.length === 0) {
    context.stderr.write('Nothing was found that --fix cures.\n')
    return 0
  }
  const goal = cureGoal(cures)
  const { env, signal } = context
  const want = (run: string) =>
    curedSpec(cures, session.inventory, { env, world: session.world, isLab: session.lab !== undefined, signal, run })
  context.stderr.write(besidesText(cures))
  if (flags.dryRun) {
    const { previewRun } = await import('../../operations/preview.js')
    showPreview(await previewRun(session, { goal, wanted: await want('dry-run'), signal }), flags, session, context)
    return 0
  }
  const { run } = await import('../../operations/run.js')
  const { settings, folder } = session.inventory
  const reporter = openReporter({ json: flags.json, folder, speed: session.lab?.speed }, context)
  const question = `Cure ${settings.cluster_name}?`
  try {
    const { outcome } = await run(session, {
      goal,
      want,
      forceUnlock: flags.forceUnlock,
      accept: flags.accept,
      consent: terminalConsent({ yes: flags.yes, question, stepsHint: dryRunHint }, reporter, context),
      sinks: [reporter.sink],
      signal,
    })
    reporter.end()
    if (outcome === 'declined') {
      if (!flags.json) context.stdout.write('Nothing was changed.\n')
      return declinedCode
    }
    const again = await inspect(session, factsBeside(session, context), context.signal)
    const still = stillThere(cured, again.examination.findings)
    if (!flags.json) context.stdout.write(endText(cured, still))
    return still.length === 0 ? exitCodes.done : exitCodes.pending
  } finally {
    reporter.end()
  }
}

/** Shown before the question: the plan may contain changes that no finding mentions. */
function besidesText({ machines, addons, replace }: Cures): string {
  const names = [...machines, ...addons]
  return [
    ...(names.length === 0
      ? []
      : [`For ${names.join(', ')} the plan has everything that ichor up would do, also what no finding mentions.\n`]),
    ...(replace.length === 0 ? [] : [`${replace.join(', ')}: created again, as ichor replace does.\n`]),
  ].join('')
}

/** What needs another command or a person. Notes are left out. */
function leftText(left: readonly Finding[]): string {
  return left
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, title, cure }) => `not cured by --fix: ${code} ${title} ${cureText(cure)}\n`)
    .join('')
}

/** After another look: what was to be cured and is found again was not cured. */
function endText(cured: readonly Finding[], still: readonly Finding[]): string {
  const left = new Set(still.map(({ code }) => code))
  const codes = new Set(cured.map(({ code }) => code).filter((code) => !left.has(code)))
  return [
    ...(codes.size === 0 ? [] : [`Cured: ${[...codes].join(', ')}.`]),
    ...still.map(({ code, title }) => `still there: ${code} ${title}`),
    ...(still.length === 0 ? [] : ['ichor doctor shows what is left, and why.']),
    '',
  ].join('\n')
}
