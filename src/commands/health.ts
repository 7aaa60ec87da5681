import { checksOf } from '../findings/checks.js'
import { findingDefinitions } from '../findings/index.js'
import { type Outlook, outlookOf } from '../findings/outlook.js'
import type { Session } from '../operations/session.js'
import { cureText } from '../report/cure-text.js'
import { type HealthReport, healthText } from '../report/health-text.js'
import { widthOf } from '../report/screen-width.js'
import { textStyle } from '../report/text-style.js'
import { exitCodes, exitZeroArg, verdictCode } from './exit-codes.js'
import { factsBeside } from './facts-beside.js'
import { withoutOtherLab } from './forget-other-lab.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

const waitMs = 5000

export default defineCommand({
  description:
    'Checks hosts, machines, etcd, Kubernetes, addons and certificates, and reports what fails, grouped by cause. The verdict is that of ichor doctor. Exits with 0 if the cluster is healthy, with 4 if something is wrong or will be, with 1 if it could not look.',
  examples: ['ichor health', 'ichor health --wait 600', 'ichor health --json | jq .healthy'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    wait: { type: 'number', placeholder: 'SECONDS', help: 'how long to wait for the cluster to be healthy' },
    ...exitZeroArg,
    all: { type: 'flag', help: 'also list checks that passed or were skipped' },
  },
  async run({ inventory, json, lab, exitZero, wait = 0, all }, context) {
    const one = await loadOne(inventory, context)
    return withWorld(one, { lab, mayStartLab: false }, context, async (opened) => {
      const { clock } = opened.world
      const started = clock.monotonic()
      let seen = await look(opened, context)
      while (seen.outlook !== 'well' && clock.monotonic() - started < wait * 1000) {
        context.stderr.write(`waiting for a healthy cluster: ${whyNot(seen.report)}\n`)
        await clock.sleep(waitMs, context.signal)
        seen = await look(opened, context)
      }
      const { report, outlook } = seen
      context.stdout.write(
        json
          ? `${JSON.stringify({ version: 1, ...report })}\n`
          : healthText(report, textStyle(context.stdout, context.env), widthOf(context.stdout), all),
      )
      return outlook === 'unknown' ? exitCodes.failed : verdictCode(report.healthy, { exitZero })
    })
  },
})

async function look(opened: Session, context: Context): Promise<{ report: HealthReport; outlook: Outlook }> {
  const { inspect } = await import('../operations/doctor.js')
  const session = { ...opened, world: await withoutOtherLab(opened.lab, opened) }
  const { facts, examination } = await inspect(session, factsBeside(session, context), context.signal)
  const { findings, unknown } = examination
  const outlook = outlookOf(findings, facts.observed)
  const warnings = findings
    .filter(({ severity }) => severity === 'warns')
    .map(({ title: text, cure }) => ({ text, fix: cure?.command ?? cureText(cure) }))
  const checks = checksOf(findingDefinitions, facts, examination)
  return { report: { healthy: outlook === 'well', checks, warnings, findings, unknown }, outlook }
}

function whyNot({ findings, unknown }: HealthReport): string {
  const [worst] = findings
  const [unseen] = unknown
  if (worst !== undefined && worst.severity !== 'info') return worst.title
  return unseen === undefined ? 'something is not seen' : `${unseen.what} is not seen`
}
