import type { ArgSpec, Command, CommandEntry } from './define-command.js'
import { flagName } from './parse.js'
import { globalFlags } from './take-globals.js'

/** A possible next word, and its description. */
export interface Proposal {
  readonly word: string
  readonly about?: string
}

/** Kinds of names that the inventory has. */
export type NameKind = 'machine' | 'host' | 'pool' | 'size' | 'addon' | 'snapshot'

/** Names of that kind, from the inventory given with `-i`. */
export type FindNames = (kind: NameKind, words: readonly string[]) => Promise<readonly Proposal[]>

/** Placeholders and argument names, as shown in help, and their kinds. */
const kinds: Readonly<Record<string, NameKind>> = {
  NODE: 'machine',
  MACHINE: 'machine',
  HOST: 'host',
  POOL: 'pool',
  SIZES: 'size',
  ADDON: 'addon',
  SNAPSHOT: 'snapshot',
}

/** Proposals for the word that is being typed. Empty: a file, or nothing known. */
export async function proposals(
  words: readonly string[],
  entries: readonly CommandEntry[],
  findNames: FindNames,
): Promise<Proposal[]> {
  const typed = words.at(-1) ?? ''
  const isHelp = words[0] === 'help'
  const own = isHelp ? words.slice(1) : withoutGlobals(words)
  const all = own === undefined ? [] : await proposeIn(own, entries, { findNames, words, isTop: !isHelp })
  return all.filter(({ word }) => word.startsWith(typed))
}

/** Without the flags before the command; `undefined` while the value of one is being typed. */
function withoutGlobals(words: readonly string[]): readonly string[] | undefined {
  let rest = words
  while (rest.length > 1) {
    const [first = ''] = rest
    const kind = globalFlags[first.replace(/=.*$/, '')]
    if (kind === undefined) return rest
    const takesNext = kind === 'value' && !first.includes('=')
    if (takesNext && rest.length === 2) return undefined
    rest = rest.slice(takesNext ? 2 : 1)
  }
  return rest
}

interface Asked {
  readonly findNames: FindNames
  readonly words: readonly string[]
  readonly isTop: boolean
}

async function proposeIn(
  words: readonly string[],
  entries: readonly CommandEntry[],
  asked: Asked,
): Promise<Proposal[]> {
  const [first = '', ...rest] = words
  if (rest.length === 0) return verbs(first, entries, asked)
  const entry = entries.find(({ name }) => name === first)
  if (entry === undefined) return []
  const isSub =
    entry.subcommands !== undefined && (rest.length === 1 || isSubcommand(entry, rest[0])) && !isFlag(rest[0])
  const subcommands = isSub ? await proposeIn(rest, entry.subcommands ?? [], { ...asked, isTop: false }) : []
  const command = isSub && rest.length > 1 ? undefined : await entry.load?.()
  return command === undefined ? subcommands : [...subcommands, ...(await proposeArgs(rest, command, asked))]
}

function verbs(typed: string, entries: readonly CommandEntry[], { isTop }: Asked): Proposal[] {
  if (isFlag(typed)) return isTop ? Object.keys(globalFlags).map((word) => ({ word })) : []
  const own = entries.map(({ name, summary }) => ({ word: name, about: summary }))
  const everywhere = [
    { word: 'help', about: 'explain a command' },
    { word: 'version', about: 'print the version' },
  ]
  return isTop ? [...own, ...everywhere] : own
}

function isSubcommand({ subcommands = [] }: CommandEntry, word: string | undefined): boolean {
  return subcommands.some(({ name }) => name === word)
}

function isFlag(word: string | undefined): boolean {
  return word?.startsWith('-') ?? false
}

async function proposeArgs(words: readonly string[], command: Command, asked: Asked): Promise<Proposal[]> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const previous = specOf(before.at(-1) ?? '', command)
  if (previous !== undefined && previous.type !== 'flag') return valuesOf(previous, asked)
  if (isFlag(typed)) return flags(before, command)
  const { positionals } = command
  const position = positionalCount(before, command)
  const next = positionals[position] ?? positionals.findLast(({ rest }) => rest)
  if (next?.choices !== undefined) return [...next.choices]
  const kind = next === undefined ? undefined : kindOf(next.name)
  return kind === undefined ? [] : [...(await asked.findNames(kind, asked.words))]
}

async function valuesOf(spec: Exclude<ArgSpec, { type: 'flag' }>, { findNames, words }: Asked): Promise<Proposal[]> {
  if (spec.type === 'choice') return spec.choices.map((word) => ({ word }))
  const kind = kindOf(spec.placeholder)
  return kind === undefined ? [] : [...(await findNames(kind, words))]
}

/** `POOL=COUNT` is completed with pools. */
function kindOf(placeholder: string): NameKind | undefined {
  return kinds[placeholder.toUpperCase().replace(/[^A-Z].*$/, '')]
}

function flags(before: readonly string[], { args }: Command): Proposal[] {
  const own = Object.entries(args)
    .filter(([key, { type }]) => type === 'list' || !before.includes(`--${flagName(key)}`))
    .map(([key, { help }]) => ({ word: `--${flagName(key)}`, about: help }))
  return [...own, { word: '--help', about: 'explain this command' }]
}

function specOf(word: string, { args }: Command): ArgSpec | undefined {
  return Object.entries(args).find(
    ([key, spec]) => word === `--${flagName(key)}` || ('short' in spec && word === `-${spec.short}`),
  )?.[1]
}

function positionalCount(words: readonly string[], command: Command): number {
  return words.filter((word, index) => {
    const previous = specOf(words[index - 1] ?? '', command)
    return !isFlag(word) && (previous === undefined || previous.type === 'flag')
  }).length
}
