import { byCause } from '../findings/by-cause.js'
import type { CheckedFinding } from '../findings/checks.js'
import type { Examination } from '../findings/find-findings.js'
import { cureText } from './cure-text.js'
import { printable } from './printable.js'
import type { TextStyle } from './text-style.js'
import { beside } from './wrap.js'

/** The stable part of `health --json`: fields are never renamed, more may be added. */
export interface HealthReport extends Examination {
  readonly healthy: boolean
  readonly checks: readonly CheckedFinding[]
  /** What is healthy now and will not stay so, each with its fix. */
  readonly warnings: readonly { readonly text: string; readonly fix: string }[]
}

/** What fails first, by cause, each with its fix; passed checks are only counted. `all` lists them too. */
export function healthText(report: HealthReport, style: TextStyle, width: number, all: boolean): string {
  const { checks, healthy, findings, unknown } = report
  const groups = byCause(findings).filter(({ finding }) => finding.severity !== 'info')
  const skipped = checks.flatMap(({ name, result }) => ('ok' in result ? [] : [`${name}: ${result.skipped}`]))
  const passed = checks.filter(({ result }) => 'ok' in result && result.ok).map(({ name }) => name)
  const failed = checks.length - skipped.length - passed.length
  const line = (sign: string, paint: (text: string) => string) => (text: string) =>
    beside(`${paint(sign)} `, sign.length + 1, printable(text), width)
  const counts = `${passed.length} checks passed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`
  const verdict = healthy
    ? style.green(`Healthy: ${counts}.`)
    : groups.length > 0
      ? style.red(`Not healthy: ${failed} of ${checks.length} checks failed.`)
      : style.red('Not known: a part of the cluster could not be seen.')
  return [
    verdict,
    ...groups.flatMap(({ finding, effects }) => {
      const [sign, paint] = finding.severity === 'blocks' ? [style.signs.failed, style.red] : ['!', style.yellow]
      const fix = cureText(finding.cure)
      return [
        line(sign, paint)(`${finding.title}${fix === '' ? '' : ` Fix: ${fix}`}`),
        ...effects.map(({ title }) => beside(`  ${style.dim('so')} `, 5, printable(title), width)),
      ]
    }),
    ...(healthy ? [] : unknown.map(({ what, why }) => line('unknown', style.yellow)(`${what}: ${why}`))),
    ...(all ? skipped.map(line(style.signs.waiting, style.dim)) : []),
    ...(all ? passed.map((name) => line(style.signs.ok, style.green)(`not found: ${name}`)) : []),
    ...(all || healthy ? [] : [`${passed.length} passed, ${skipped.length} skipped; --all lists them.`]),
    '',
  ].join('\n')
}
