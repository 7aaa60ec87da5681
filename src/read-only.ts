import { type CallEffect, callEffects } from './call-effects.js'
import type { World } from './world.js'

type Effects = CallEffect | { readonly [name: string]: Effects }

/** A world whose changing calls throw before anything is sent. A call without a known effect throws, too. */
export function readOnly(world: World): World {
  return guarded(world, callEffects, '')
}

function guarded<T extends object>(part: T, effects: { readonly [name: string]: Effects }, path: string): T {
  return new Proxy(part, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof name === 'symbol' || value === undefined) return value
      return guardedCall(value, target, effects[name], path === '' ? name : `${path}.${name}`)
    },
  })
}

function guardedCall(value: unknown, owner: object, effects: Effects | undefined, path: string): unknown {
  if (effects === undefined || effects === 'writes') return () => refuse(path)
  const open = (part: unknown) =>
    typeof effects === 'object' && typeof part === 'object' && part !== null ? guarded(part, effects, path) : part
  if (typeof value !== 'function') return open(value)
  return (...args: unknown[]) => open(Reflect.apply(value, owner, args))
}

function refuse(path: string): never {
  throw new Error(`${path} would change something, but this world is read-only`)
}
