import { askText } from './ask.js'
import type { Context } from './frame/context.js'

/** To destroy or release a cluster, the user types its name. */
export async function confirmName(cluster: string, context: Context, what = 'destroy'): Promise<boolean> {
  return typeName(cluster, `Type ${cluster} to ${what} it: `, 'Without a terminal, run with --yes.', context)
}

/** Typing "yes" is too easy: the user must type the name. */
export async function typeName(name: string, question: string, without: string, context: Context): Promise<boolean> {
  const typed = await askText(question, context, without)
  if (typed !== name) context.stderr.write(`${JSON.stringify(typed)} is not ${name}.\n`)
  return typed === name
}
