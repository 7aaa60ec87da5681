import { exitCodes } from '../../../src/commands/exit-codes.js'
import type { ArgSpec, Command, CommandEntry } from '../../../src/commands/frame/define-command.js'
import { inOrder } from '../../../src/commands/frame/help.js'
import { flagName } from '../../../src/commands/frame/parse.js'
import { exitCodeMeanings } from './exit-codes.js'

/** The reference of all verbs, from their own definitions. */
export async function commandsPage(entries: readonly CommandEntry[]): Promise<string> {
  const groups = inOrder([...new Set(entries.map(({ group }) => group))])
  const parts = await Promise.all(
    groups.map(async (group) => {
      const inside = entries.filter((entry) => entry.group === group)
      return [`## ${group}`, ...(await Promise.all(inside.map((entry) => entryPart(entry, 'ichor'))))]
    }),
  )
  return `${[head, ...parts.flat()].join('\n\n')}\n`
}

const head = `# Commands

Made from the definitions of the commands; \`ichor <command> --help\` shows the same.

Exit codes: ${exitCodeList()}.
Results go to stdout, progress to stderr. Every JSON document has a \`version\`; a failure with \`--json\` is
\`{"version": 1, "error": {code, message, where, fix}}\` on stdout. Without \`-i\`, \`./inventory\` or \`./cluster.yaml\` is used.`

/** Every code with its meaning, in one line. */
export function exitCodeList(): string {
  return Object.entries(exitCodes)
    .map(([name, code]) => `${code} ${exitCodeMeanings[name as keyof typeof exitCodes]}`)
    .join('; ')
}

async function entryPart(entry: CommandEntry, before: string): Promise<string> {
  const name = `${before} ${entry.name}`
  const own = entry.load === undefined ? undefined : await entry.load()
  const inner = await Promise.all((entry.subcommands ?? []).map((sub) => entryPart(sub, name)))
  const isMissing = own === undefined && inner.length === 0
  return [
    `### ${name}`,
    `${capitalised(entry.summary)}.${isMissing ? ' Not built yet.' : ''}`,
    ...(own === undefined ? [] : commandParts(name, own)),
    ...inner,
  ].join('\n\n')
}

function commandParts(name: string, { description, examples, args, positionals }: Command): string[] {
  const words = positionals.map(({ name: word, required, rest }) => {
    const shown = `${word.toUpperCase()}${rest ? '…' : ''}`
    return required ? shown : `[${shown}]`
  })
  const rows = [
    ...positionals.flatMap(({ name: word, help, choices = [] }) => [
      [`\`${word.toUpperCase()}\``, help],
      ...choices.map((choice) => [`\`${choice.word}\``, choice.about]),
    ]),
    ...Object.entries(args).map(([key, spec]) => [optionName(key, spec), `${spec.help}${defaultOf(spec)}`]),
  ].map(([left = '', right = '']) => `| ${escaped(left)} | ${escaped(right)} |`)
  return [
    ...(description === undefined ? [] : [description]),
    `\`${[name, ...words].join(' ')} [options]\``,
    ...(rows.length === 0 ? [] : [['| | |', '| --- | --- |', ...rows].join('\n')]),
    ...(examples === undefined ? [] : [['```', ...examples, '```'].join('\n')]),
  ]
}

function optionName(key: string, spec: ArgSpec): string {
  const short = 'short' in spec && spec.short !== undefined ? `-${spec.short}, ` : ''
  const value = spec.type === 'flag' ? '' : ` ${spec.type === 'choice' ? spec.choices.join('|') : spec.placeholder}`
  return `\`${short}--${flagName(key)}${value}\``
}

function defaultOf(spec: ArgSpec): string {
  return 'default' in spec && spec.default !== undefined ? ` (default ${spec.default})` : ''
}

/** A bar would end the cell. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|')
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
