import type { Context } from '../frame/context.js'

export const nameArg = {
  name: { type: 'text', placeholder: 'NAME', help: 'name of the lab' },
} as const

/** The context for that lab. */
export function inLab(context: Context, name: string | undefined): Context {
  return name === undefined ? context : { ...context, env: { ...context.env, ICHOR_LAB: name } }
}
