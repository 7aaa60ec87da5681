import { textStyle } from '../../report/text-style.js'
import type { Context } from './context.js'
import type { ArgSpec, Command, CommandEntry } from './define-command.js'
import { flagName } from './parse.js'

/** The first screen: what ichor is, and every verb in one line. */
export function overview(entries: readonly CommandEntry[], context: Context): string {
  const { bold, dim } = textStyle(context.stdout, context.env)
  const groups = [...new Set(entries.map((entry) => entry.group))]
  return [
    `${bold('ichor')} brings Talos Linux to life on Proxmox VE: one inventory, one command, a healthy cluster.`,
    '',
    `${bold('usage')}  ichor <command> [-i inventory] [--json] [--yes]`,
    ...groups.flatMap((group) => [
      '',
      bold(group),
      ...columns(entries.filter((entry) => entry.group === group).map((entry) => [entry.name, summaryOf(entry, dim)])),
    ]),
    '',
    'ichor <command> --help shows more. Without -i, ./inventory or ./cluster.yaml is used.',
    '',
  ].join('\n')
}

/** What a group such as `ichor lab` holds. */
export function groupHelp(name: string, entry: CommandEntry, context: Context): string {
  const { bold, dim } = textStyle(context.stdout, context.env)
  const rows = (entry.subcommands ?? []).map((sub): [string, string] => [sub.name, summaryOf(sub, dim)])
  return [`${bold(name)}: ${entry.summary}`, '', ...columns(rows), ''].join('\n')
}

/** Everything about one command. */
export function commandHelp(name: string, entry: CommandEntry, command: Command, context: Context): string {
  const { bold } = textStyle(context.stdout, context.env)
  const words = command.positionals.map(({ name: word, required, rest }) => {
    const shown = `${word.toUpperCase()}${rest ? '…' : ''}`
    return required ? shown : `[${shown}]`
  })
  const section = (title: string, rows: readonly [string, string][]) =>
    rows.length === 0 ? [] : ['', bold(title), ...columns(rows)]
  return [
    `${bold(name)}: ${entry.summary}`,
    ...(command.description === undefined ? [] : ['', command.description]),
    '',
    `${bold('usage')}  ${[name, ...words].join(' ')} [options]`,
    ...section(
      'arguments',
      command.positionals.map((positional) => [positional.name.toUpperCase(), positional.help]),
    ),
    ...section('options', [...Object.entries(command.args).map(optionRow), ['-h, --help', 'this text']]),
    ...(command.examples === undefined ? [] : ['', bold('examples'), ...command.examples.map((line) => `  ${line}`)]),
    '',
  ].join('\n')
}

function optionRow([key, spec]: [string, ArgSpec]): [string, string] {
  const short = 'short' in spec && spec.short !== undefined ? `-${spec.short}, ` : '    '
  const value = spec.type === 'flag' ? '' : ` ${spec.type === 'choice' ? spec.choices.join('|') : spec.placeholder}`
  const fallback = 'default' in spec && spec.default !== undefined ? ` (${spec.default})` : ''
  return [`${short}--${flagName(key)}${value}`, `${spec.help}${fallback}`]
}

function summaryOf(entry: CommandEntry, dim: (text: string) => string): string {
  return entry.load === undefined && entry.subcommands === undefined
    ? dim(`${entry.summary} (not built yet)`)
    : entry.summary
}

const widestLeft = 38

/** What is too long for the left column has its text on the line below. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length).filter((length) => length <= widestLeft))
  return rows.flatMap(([left, right]) =>
    left.length <= widestLeft
      ? [`  ${left.padEnd(width)}  ${right}`]
      : [`  ${left}`, `  ${' '.repeat(width)}  ${right}`],
  )
}
