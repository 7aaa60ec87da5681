import { Cancelled, UsageError } from '../../errors.js'
import { findNearest } from '../../nearest.js'
import { ownVersion } from '../../own-version.js'
import { errorReport, errorText, exitCodeOf } from '../../report/error.js'
import { widthOf } from '../../report/screen-width.js'
import { plainVariable, textStyle } from '../../report/text-style.js'
import { chooseLab } from './choose-lab.js'
import type { Context } from './context.js'
import type { CommandEntry } from './define-command.js'
import { commandHelp, groupHelp, overview } from './help.js'
import { parseCommandLine } from './parse.js'
import { namesSubcommand } from './subcommand.js'
import { explainSystemError } from './system-error.js'
import { globalFlags, takeGlobals } from './take-globals.js'

/** From words to an exit code. Only here do thrown errors become messages. */
export async function main(
  typed: readonly string[],
  entries: readonly CommandEntry[],
  given: Context,
): Promise<number> {
  const { words, isPlain } = takeGlobals(typed)
  const context = isPlain ? { ...given, env: { ...given.env, [plainVariable]: '1' } } : given
  try {
    return await dispatch(words, entries, 'ichor', context)
  } catch (failure) {
    const thrown = context.signal.aborted ? stopped(failure, words) : explainSystemError(failure)
    if (words.includes('--json')) context.stdout.write(`${JSON.stringify(errorReport(thrown))}\n`)
    context.stderr.write(errorText(thrown, textStyle(context.stderr, context.env), widthOf(context.stderr)))
    return exitCodeOf(thrown)
  }
}

/** Any error after Ctrl-C is a consequence of it. */
function stopped(failure: unknown, words: readonly string[]): Cancelled {
  if (failure instanceof Cancelled) return failure
  return new Cancelled('Stopped before anything more was changed.', {
    where: `ichor ${words[0] ?? ''}`.trim(),
    fix: 'Run the same command again to continue.',
    cause: failure,
  })
}

async function dispatch(
  words: readonly string[],
  entries: readonly CommandEntry[],
  name: string,
  context: Context,
): Promise<number> {
  const [word, ...rest] = words
  if (name === 'ichor') {
    if (word === 'help' && rest[0] !== undefined) return dispatch([...rest, '--help'], entries, name, context)
    if (word === undefined || ['--help', '-h', 'help'].includes(word)) return show(overview(entries, context), context)
    if (['--version', '-V', 'version'].includes(word)) return show(`${ownVersion()}\n`, context)
  }
  const entry = entries.find((candidate) => candidate.name === word)
  if (entry === undefined) throw unknownCommand(word ?? '', entries, name)
  return runEntry(entry, rest, `${name} ${entry.name}`, context)
}

async function runEntry(
  entry: CommandEntry,
  words: readonly string[],
  name: string,
  context: Context,
): Promise<number> {
  const [word] = words
  if (entry.load === undefined || (await namesSubcommand(entry, word))) {
    const wantsHelp = word === undefined || word === '--help' || word === '-h'
    return wantsHelp
      ? show(groupHelp(name, entry, context), context)
      : dispatch(words, entry.subcommands ?? [], name, context)
  }
  const command = await entry.load()
  const chosen = chooseLab(words, command, context.env)
  const parsed = parseCommandLine(chosen.words, command, name)
  if (parsed.help) return show(commandHelp(name, entry, command, context), context)
  return (await command.run(parsed.args, parsed.positionals, { ...context, env: chosen.env })) ?? 0
}

function show(text: string, context: Context): number {
  context.stdout.write(text)
  return 0
}

function unknownCommand(word: string, entries: readonly CommandEntry[], name: string): UsageError {
  if (globalFlags[word.replace(/=.*$/, '')] !== undefined) {
    return new UsageError('No command was given.', { where: name, fix: `${name} --help lists the commands.` })
  }
  const near = findNearest(
    word,
    entries.map((entry) => entry.name),
  )
  return new UsageError(`There is no command ${JSON.stringify(word)}.`, {
    where: name,
    fix: near === undefined ? `${name} --help lists the commands.` : `Did you mean ${name} ${near}?`,
  })
}
