import type { Command, CommandEntry } from '../../src/commands/frame/define-command.js'
import { commands } from '../../src/commands/index.js'

/** A command of ichor inside a printed sentence. */
export interface PrintedCommand {
  readonly words: readonly string[]
  /** Words such as NAME or FILE, which somebody has to fill in. */
  readonly placeholders: readonly string[]
}

/** The problems that a text names, without what differs from one look to the next: times and counts. */
export function problemsIn(text: string): string[] {
  return [...text.matchAll(/^(?:error {2}|[x!-] )(.*)$/gm)].map(([, problem = '']) =>
    problem.replace(/ *Fix: .*/, '').replace(/(?<![\w-])\d+/g, 'N'),
  )
}

/** The commands of ichor in the fixes of a text, in their order, as somebody would copy them. */
export async function printedFixes(text: string): Promise<PrintedCommand[]> {
  const found: PrintedCommand[] = []
  for (const [, fix = ''] of text.matchAll(/(?:^ *fix +|Fix: )(.*)$/gm))
    for (const [, rest = ''] of fix.matchAll(/(?<![\w/.@!-])ichor (?=([a-z].*))/g)) {
      const words = await commandAt(rest.split(/\s+/))
      if (words === undefined || found.some((one) => one.words.join(' ') === words.join(' '))) continue
      found.push({ words, placeholders: words.filter((word) => /^[A-Z]+$/.test(word)) })
    }
  return found
}

/** A sentence about ichor is no command: only what begins with a command's name is. */
async function commandAt(text: readonly string[]): Promise<string[] | undefined> {
  const words: string[] = []
  let entries: readonly CommandEntry[] = commands
  let entry: CommandEntry | undefined
  let command: Command | undefined
  let isValue = false
  for (const raw of text) {
    const word = raw.replace(/^["'`(]+/, '').replace(/[.,;:)"'`]+$/, '')
    const next: CommandEntry | undefined = isValue ? undefined : entries.find(({ name }) => name === word)
    if (next !== undefined) {
      entry = next
      command = await next.load?.()
      entries = next.subcommands ?? []
    } else if (entry === undefined || (!isValue && !isArgument(word, words, command))) break
    words.push(word)
    isValue = !isValue && takesValue(word, command)
    if (word !== raw.replace(/^["'`(]+/, '')) break
  }
  return entry === undefined ? undefined : words
}

/** Options, names of machines, versions, files, `workers=3`, and words to fill in: not the words of a sentence. */
function isArgument(word: string, before: readonly string[], command: Command | undefined): boolean {
  if (/^-|[\d=/]|^[a-z]+(-[a-z]+)+$|^[A-Z]+$/.test(word)) return true
  const taken = before.slice(1).filter((one) => !one.startsWith('-')).length
  const choices = command?.positionals[taken]?.choices ?? []
  return before[0] === 'logs' && taken === 1
    ? ['etcd', 'kubelet'].includes(word)
    : choices.some((one) => one.word === word)
}

function takesValue(word: string, command: Command | undefined): boolean {
  const name = /^--([a-z-]+)$/.exec(word)?.[1]?.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const spec = name === undefined ? undefined : command?.args[name]
  return spec !== undefined && spec.type !== 'flag'
}
