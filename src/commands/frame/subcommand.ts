import type { CommandEntry } from './define-command.js'

/** Whether a word after a command is meant as one of its subcommands: not where the command takes words of its own. */
export async function namesSubcommand(entry: CommandEntry, word: string | undefined): Promise<boolean> {
  const { subcommands, load } = entry
  if (subcommands === undefined || word === undefined || word.startsWith('-')) return false
  if (load === undefined || subcommands.some(({ name }) => name === word)) return true
  return ((await load()).positionals ?? []).length === 0
}
