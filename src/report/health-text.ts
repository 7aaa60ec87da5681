import type { HealthReport } from '../health/index.js'
import { printable } from './printable.js'
import type { TextStyle } from './text-style.js'
import { beside } from './wrap.js'

/** Failures first, each with its reason; passed checks are only counted. `all` lists them too. */
export function healthText(report: HealthReport, style: TextStyle, width: number, all: boolean): string {
  const { checks, healthy, warnings = [] } = report
  const failed = checks.flatMap(({ name, result }) =>
    'ok' in result && !result.ok ? [`${name}: ${result.reason}`] : [],
  )
  const skipped = checks.flatMap(({ name, result }) => ('ok' in result ? [] : [`${name}: ${result.skipped}`]))
  const passed = checks.filter(({ result }) => 'ok' in result && result.ok).map(({ name }) => name)
  const line = (sign: string, paint: (text: string) => string) => (text: string) =>
    beside(`${paint(sign)} `, sign.length + 1, printable(text), width)
  const verdict = healthy
    ? style.green(`Healthy: ${passed.length} checks passed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}.`)
    : style.red(`Not healthy: ${failed.length} of ${checks.length} checks failed.`)
  return [
    verdict,
    ...failed.map(line(style.signs.failed, style.red)),
    ...warnings.map(({ text, fix }) => line('!', style.yellow)(`${text} Fix: ${fix}`)),
    ...(all ? skipped.map(line(style.signs.waiting, style.dim)) : []),
    ...(all ? passed.map(line(style.signs.ok, style.green)) : []),
    ...(all || healthy ? [] : [`${passed.length} passed, ${skipped.length} skipped; --all lists them.`]),
    '',
  ].join('\n')
}
