import { createInterface } from 'node:readline/promises'
import { UsageError } from '../errors.js'
import type { Context } from './frame/context.js'

/** Who says no has cancelled: a script must not take it for done. */
export const declinedCode = 130

/** Yes or no, on a terminal; without one there is nobody to ask. */
export async function askYes(question: string, context: Context, flags = '--yes'): Promise<boolean> {
  return /^y(es)?$/i.test(
    await askText(`${question} [y/N] `, context, `Run with ${flags} when nobody is there to ask.`),
  )
}

/** What the user types; an empty text when the input ends. */
export async function askText(question: string, { stdin, stderr, signal }: Context, without: string): Promise<string> {
  if (stdin.isTTY !== true)
    throw new UsageError('This needs an answer, and there is no terminal to ask on.', {
      where: question.trim(),
      fix: without,
    })
  const reader = createInterface({ input: stdin, output: stderr as unknown as NodeJS.WritableStream })
  try {
    return (await reader.question(question, { signal })).trim()
  } finally {
    reader.close()
  }
}
