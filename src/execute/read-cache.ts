import { type CallEffect, callEffects } from '../call-effects.js'
import type { World } from '../world.js'

/** In real time, because users and other tools act in it, even if a lab's clock runs faster. */
const freshForMs = 1000

type Answers = Map<string, { readonly at: number; readonly answer: unknown }>

/**
 * The world for one attempt at a step: `done`, `guard` and `run` repeat queries about a VM within moments, so these are
 * cached. The cache is cleared by every change or wait of the attempt, after a second, and by `forget`.
 */
export function withReadCache(world: World): { readonly world: World; readonly forget: () => void } {
  const answers: Answers = new Map()
  const forget = () => answers.clear()
  const known = new Map<unknown, unknown>()
  const once = <T>(key: unknown, make: () => T): T => {
    if (!known.has(key)) known.set(key, make())
    return known.get(key) as T
  }
  const groups = new Proxy(world, {
    get: (target, name) => {
      const part: unknown = Reflect.get(target, name)
      if (name === 'clock') return once(part, () => withoutMemory(target.clock, ['sleep'], forget))
      if (name !== 'proxmox') return part
      return once(part, () => eachGroup(target.proxmox, (group, calls) => remembering(group, calls, answers)))
    },
  })
  return { world: groups, forget }
}

function eachGroup<T extends object>(port: T, wrap: (group: string, calls: object) => object): T {
  const wrapped = new Map<string, object>()
  return new Proxy(port, {
    get: (target, group) => {
      const calls: unknown = Reflect.get(target, group)
      if (typeof group === 'symbol' || typeof calls !== 'object' || calls === null) return calls
      const known = wrapped.get(group) ?? wrap(group, calls)
      wrapped.set(group, known)
      return known
    },
  })
}

function remembering<T extends object>(group: string, calls: T, answers: Answers): T {
  return new Proxy(calls, {
    get: (target, name) => {
      const call: unknown = Reflect.get(target, name)
      if (typeof call !== 'function' || typeof name === 'symbol') return call
      const effect = effectOf(group, name)
      if (effect === 'reads') return call
      if (effect !== 'cacheable') return acting(call, target, () => answers.clear())
      return (...args: unknown[]) => {
        const key = `${group}.${name} ${JSON.stringify(args.slice(0, -1))}`
        const known = answers.get(key)
        if (known !== undefined && performance.now() - known.at < freshForMs) return known.answer
        return asked(key, Reflect.apply(call, target, args), answers)
      }
    },
  })
}

function effectOf(group: string, name: string): CallEffect | undefined {
  const groups: Readonly<Record<string, CallEffect | Readonly<Record<string, CallEffect>>>> = callEffects.proxmox
  const effects = groups[group]
  return typeof effects === 'object' ? effects[name] : undefined
}

/** A failed query is not cached. */
function asked(key: string, answer: unknown, answers: Answers): unknown {
  const entry = { at: performance.now(), answer }
  answers.set(key, entry)
  Promise.resolve(answer).catch(() => answers.get(key) === entry && answers.delete(key))
  return answer
}

/** The cache is cleared before the call starts and again when it ends. */
function acting(call: object, target: object, forget: () => void) {
  return async (...args: unknown[]): Promise<unknown> => {
    if (typeof call !== 'function') throw new TypeError('not a call')
    forget()
    try {
      return await Reflect.apply(call, target, args)
    } finally {
      forget()
    }
  }
}

function withoutMemory<T extends object>(part: T, names: readonly string[], forget: () => void): T {
  return new Proxy(part, {
    get: (target, name) => {
      const call: unknown = Reflect.get(target, name)
      return typeof call === 'function' && names.includes(String(name)) ? acting(call, target, forget) : call
    },
  })
}
