import { askText } from './ask.js'
import type { Context } from './frame/context.js'

/** Who destroys a cluster types its name. */
export async function confirmName(cluster: string, context: Context): Promise<boolean> {
  return typeName(cluster, `Type ${cluster} to destroy it: `, 'Without a terminal, run with --yes.', context)
}

/** A yes is typed too easily: whoever means it types the name. */
export async function typeName(name: string, question: string, without: string, context: Context): Promise<boolean> {
  const typed = await askText(question, context, without)
  if (typed !== name) context.stderr.write(`${JSON.stringify(typed)} is not ${name}.\n`)
  return typed === name
}
