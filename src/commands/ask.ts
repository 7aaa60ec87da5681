import { createInterface, type Interface } from 'node:readline/promises'
import { Cancelled, reasonOf, UsageError } from '../errors.js'
import type { Context } from './frame/context.js'

/** Answering no cancels the command: a script must not treat it as success. */
export const declinedCode = 130

/** A yes/no question on a terminal; without a terminal it cannot be asked. */
export async function askYes(question: string, context: Context, flags = '--yes'): Promise<boolean> {
  return /^y(es)?$/i.test(await askText(`${question} [y/N] `, context, `Without a terminal, run with ${flags}.`))
}

/** The user's input; empty at the end of the input. */
export async function askText(question: string, context: Context, without: string): Promise<string> {
  const { stdin, stderr } = context
  if (stdin.isTTY !== true)
    throw new UsageError('An answer is required, but there is no terminal to prompt on.', {
      where: question.trim(),
      fix: without,
    })
  // readline only uses methods of the output that every command output has.
  const reader = createInterface({ input: stdin, output: stderr as unknown as NodeJS.WritableStream })
  return (await answered(reader, question, context)).trim()
}

/** Closes the reader in every case: Ctrl-D is an empty answer, Ctrl-C cancels. */
export async function answered(
  reader: Interface,
  question: string,
  { stderr, signal }: Pick<Context, 'stderr' | 'signal'>,
): Promise<string> {
  try {
    return await reader.question(question, { signal })
  } catch (cause) {
    stderr.write('\n')
    if (/Ctrl\+D/.test(reasonOf(cause))) return ''
    throw new Cancelled('Stopped at the question: nothing was changed.', {
      where: question.trim(),
      fix: 'Run the same command again when you are ready.',
      cause,
    })
  } finally {
    reader.close()
  }
}
