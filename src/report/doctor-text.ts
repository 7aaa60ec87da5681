import type { Group } from '../findings/by-cause.js'
import type { Finding, Severity, Unknown } from '../findings/finding.js'
import { cureText } from './cure-text.js'
import { printable } from './printable.js'
import type { TextStyle } from './text-style.js'
import { beside } from './wrap.js'

interface Diagnosis {
  readonly cluster: string
  readonly groups: readonly Group[]
  readonly unknown: readonly Unknown[]
}

/** The verdict, then what does not fit with its cure, and at the end what could not be seen. */
export function doctorText({ cluster, groups, unknown }: Diagnosis, style: TextStyle, width: number): string {
  const findings = groups.map(({ finding }) => finding)
  return [
    `${style.bold(cluster)}  ${verdictLine(findings, unknown.length, style)}`,
    ...groups.flatMap((group) => ['', ...groupLines(group, style, width)]),
    ...(unknown.length === 0 ? [] : ['']),
    ...unknown.map(({ what, why }) => beside(`${style.yellow('unknown')} `, 8, printable(`${what}: ${why}`), width)),
    '',
  ].join('\n')
}

function verdictLine(findings: readonly Finding[], unknown: number, style: TextStyle): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
  const parts = [
    [count('blocks'), 'problem'],
    [count('warns'), 'warning'],
    [count('info'), 'note'],
  ] as const
  const found = parts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}${number === 1 ? '' : 's'}`]))
  if (found.length > 0) return found.join(', ')
  return unknown === 0 ? style.green('Everything fits.') : 'Nothing was found in what could be seen.'
}

function groupLines({ finding, effects }: Group, style: TextStyle, width: number): string[] {
  const sign = signOf(finding.severity, style)
  const fix = cureText(finding.cure)
  return [
    beside(`${sign} ${style.dim(finding.code)}  `, 11, printable(finding.title), width),
    beside(' '.repeat(11), 11, printable(finding.detail), width),
    ...effects.map(({ title }) => beside(`${' '.repeat(11)}${style.dim('so')} `, 14, printable(title), width)),
    ...(fix === '' ? [] : [beside(`${' '.repeat(11)}${style.dim('fix')} `, 15, printable(fix), width)]),
  ]
}

function signOf(severity: Severity, style: TextStyle): string {
  if (severity === 'blocks') return style.red(style.signs.failed)
  return severity === 'warns' ? style.yellow('!') : style.dim('-')
}
