import { askText } from './ask.js'
import type { Context } from './frame/context.js'

/** Who destroys a cluster types its name. */
export async function confirmName(cluster: string, context: Context): Promise<boolean> {
  const typed = await askText(`Type ${cluster} to destroy it: `, context, 'Run with --yes when nobody is there to ask.')
  if (typed !== cluster) context.stderr.write(`${JSON.stringify(typed)} is not ${cluster}.\n`)
  return typed === cluster
}
