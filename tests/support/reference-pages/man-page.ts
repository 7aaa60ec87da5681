import { exitCodes } from '../../../src/commands/exit-codes.js'
import type { ArgSpec, Command, CommandEntry } from '../../../src/commands/frame/define-command.js'
import { inOrder } from '../../../src/commands/frame/help.js'
import { flagName } from '../../../src/commands/frame/parse.js'
import { exitCodeMeanings } from './exit-codes.js'

/** The man page of all commands, from their own definitions. */
export async function manPage(entries: readonly CommandEntry[], version: string): Promise<string> {
  const groups = inOrder([...new Set(entries.map(({ group }) => group))])
  const inside = await Promise.all(
    groups.map(async (group) => {
      const parts = await Promise.all(
        entries.filter((entry) => entry.group === group).map((entry) => entryPart(entry, 'ichor')),
      )
      return parts.flat().length === 0 ? [] : [`.SH ${group.toUpperCase()}`, ...parts.flat()]
    }),
  )
  return `${[...head(version), ...inside.flat(), ...tail].join('\n')}\n`
}

function head(version: string): string[] {
  return [
    `.TH ICHOR 1 "" "ichor ${version}" "User Commands"`,
    '.SH NAME',
    'ichor \\- Talos Kubernetes clusters on Proxmox VE, from one inventory',
    '.SH SYNOPSIS',
    '.B ichor',
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    text(
      'ichor creates, changes, repairs and deletes Talos Linux clusters on Proxmox VE. An inventory (cluster.yaml) describes what is wanted; ichor plan shows what would change, ichor up applies it.',
    ),
    text('Options that every command takes, also before it: -i PATH, --lab, --json, -y, --plain.'),
  ]
}

const tail = [
  '.SH EXIT STATUS',
  ...Object.entries(exitCodes).flatMap(([name, code]) => [
    '.TP',
    `.B ${code}`,
    exitCodeMeanings[name as keyof typeof exitCodes],
  ]),
  '.SH FILES',
  '.TP',
  '.I cluster.yaml, inventory/',
  'the inventory, unless \\-i names another',
  '.TP',
  '.I secrets.sops.yaml',
  'the encrypted secrets of the cluster',
]

async function entryPart(entry: CommandEntry, before: string): Promise<string[]> {
  const name = `${before} ${entry.name}`
  const own = await entry.load?.()
  const inner = await Promise.all((entry.subcommands ?? []).map((sub) => entryPart(sub, name)))
  return [...(own === undefined ? [] : commandPart(name, entry, own)), ...inner.flat()]
}

function commandPart(name: string, { summary }: CommandEntry, { description, args, positionals }: Command): string[] {
  const words = positionals.map(({ name: word, required }) =>
    required ? word.toUpperCase() : `[${word.toUpperCase()}]`,
  )
  return [
    `.SS ${text([name, ...words].join(' '))}`,
    text(`${summary}.`),
    ...(description === undefined ? [] : ['.PP', text(description)]),
    ...Object.entries(args).flatMap(([key, spec]) => ['.TP', `.B ${text(optionText(key, spec))}`, text(spec.help)]),
  ]
}

function optionText(key: string, spec: ArgSpec): string {
  const short = 'short' in spec && spec.short !== undefined ? `-${spec.short}, ` : ''
  const value = spec.type === 'flag' ? '' : ` ${spec.type === 'choice' ? spec.choices.join('|') : spec.placeholder}`
  return `${short}--${flagName(key)}${value}`
}

/** Text that troff shows as it is. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
}
