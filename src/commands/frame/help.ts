import { widthOf } from '../../report/screen-width.js'
import { textStyle } from '../../report/text-style.js'
import { beside, wrapWords } from '../../report/wrap.js'
import type { Context } from './context.js'
import type { ArgSpec, Command, CommandEntry } from './define-command.js'
import { flagName } from './parse.js'

/** The first screen: what ichor is, and every command by purpose. */
export function overview(entries: readonly CommandEntry[], context: Context): string {
  const { bold, signs } = textStyle(context.stdout, context.env)
  const groups = inOrder([...new Set(entries.map((entry) => entry.group))])
  const width = Math.max(...groups.map((group) => group.length)) + 2
  const screen = Math.min(widthOf(context.stdout), 100)
  return [
    titleText('ichor', 'Talos Kubernetes clusters on Proxmox VE, from one inventory', screen, bold),
    '',
    ...groups.map((group) => {
      const names = entries.filter((entry) => entry.group === group).map(({ name }) => name)
      return beside(bold(group.padEnd(width)), width, names.join('  '), screen)
    }),
    '',
    ...wrapWords(['ichor help COMMAND', 'global: -i PATH  --lab  --json  -y  --plain'].join(`${signs.dot} `), screen),
    '',
  ].join('\n')
}

const order = ['Start', 'Build', 'Look', 'Change', 'Protect', 'Connect', 'Manage']

/** Groups in the order in which a new user needs them. @internal */
export function inOrder(groups: readonly string[]): string[] {
  return groups.toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
}

/** The subcommands of a group such as `ichor lab`. */
export function groupHelp(name: string, entry: CommandEntry, context: Context): string {
  const { bold } = textStyle(context.stdout, context.env)
  const rows = (entry.subcommands ?? []).map(({ name: word, summary }): [string, string] => [word, summary])
  return [
    titleText(name, entry.summary, widthOf(context.stdout), bold),
    '',
    ...columns(rows, widthOf(context.stdout)),
    '',
  ].join('\n')
}

/** Everything about one command. */
export function commandHelp(name: string, entry: CommandEntry, command: Command, context: Context): string {
  const { bold } = textStyle(context.stdout, context.env)
  const words = command.positionals.map(({ name: word, required, rest }) => {
    const shown = `${word.toUpperCase()}${rest ? '…' : ''}`
    return required ? shown : `[${shown}]`
  })
  const section = (title: string, rows: readonly [string, string][]) =>
    rows.length === 0 ? [] : ['', bold(title), ...columns(rows, widthOf(context.stdout))]
  return [
    titleText(name, entry.summary, widthOf(context.stdout), bold),
    ...(command.description === undefined
      ? []
      : ['', ...wrapWords(command.description, Math.min(widthOf(context.stdout), 100))]),
    '',
    beside(`${bold('usage')}  `, 7, `${[name, ...words].join(' ')} [options]`, widthOf(context.stdout)),
    ...section(
      'arguments',
      command.positionals.map((positional) => [positional.name.toUpperCase(), positional.help]),
    ),
    ...command.positionals.flatMap(({ name: word, choices = [] }) =>
      section(
        word.toUpperCase(),
        choices.map((choice) => [choice.word, choice.about]),
      ),
    ),
    ...section('options', [...Object.entries(command.args).map(optionRow), ...everywhere]),
    ...(command.examples === undefined
      ? []
      : ['', bold('examples'), ...command.examples.map((line) => exampleText(line, widthOf(context.stdout)))]),
    '',
  ].join('\n')
}

function titleText(name: string, summary: string, width: number, bold: (text: string) => string): string {
  const [first = '', ...rest] = wrapWords(`${name}: ${summary}`, width)
  return [first.startsWith(name) ? `${bold(name)}${first.slice(name.length)}` : first, ...rest].join('\n')
}

/** Wrapped at words, with line continuations for the shell. */
function exampleText(line: string, width: number): string {
  return wrapWords(line, Math.max(20, width - 6))
    .map((part, index) => `${index === 0 ? '  ' : '    '}${part}`)
    .join(' \\\n')
}

const everywhere: readonly [string, string][] = [
  ['    --plain', 'no colour, no symbols, nothing that moves'],
  ['-h, --help', 'this text'],
]

const widestLeft = 38

/** Options with many choices list them in their description, where they wrap. */
function optionRow([key, spec]: [string, ArgSpec]): [string, string] {
  const short = 'short' in spec && spec.short !== undefined ? `-${spec.short}, ` : '    '
  const fallback = 'default' in spec && spec.default !== undefined ? ` (${spec.default})` : ''
  const left = `${short}--${flagName(key)}`
  if (spec.type !== 'choice') {
    return [spec.type === 'flag' ? left : `${left} ${spec.placeholder}`, `${spec.help}${fallback}`]
  }
  const choices = `${left} ${spec.choices.join('|')}`
  return choices.length <= widestLeft
    ? [choices, `${spec.help}${fallback}`]
    : [`${left} NAME`, `${spec.help}${fallback}: ${spec.choices.join(', ')}`]
}

/** If the left column is too long, the description is on the next line. */
function columns(rows: readonly (readonly [string, string])[], screen: number): string[] {
  const width = Math.max(...rows.map(([left]) => left.length).filter((length) => length <= widestLeft))
  const isNarrow = screen < width + 30
  const indent = isNarrow ? 6 : width + 4
  return rows.map(([left, right]) =>
    left.length <= widestLeft && !isNarrow
      ? beside(`  ${left.padEnd(width)}  `, indent, right, screen)
      : `${beside('  ', 2, left.trim(), screen)}\n${beside(' '.repeat(indent), indent, right, screen)}`,
  )
}
