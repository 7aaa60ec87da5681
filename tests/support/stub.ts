/** As much of something as a test gives: methods whole, their answers as far as somebody looks at them. */
export type Given<T> = T extends (...args: infer A) => infer R
  ? (...args: A) => GivenAnswer<R>
  : T extends readonly (infer E)[]
    ? readonly Given<E>[]
    : T extends object
      ? { readonly [K in keyof T]?: Given<T[K]> }
      : T

type GivenAnswer<R> =
  R extends Promise<infer V> ? Promise<Given<V> | (V extends TaskLike ? undefined : never)> : Given<R>

/** Nobody reads the worker of a call but those who wait for it, which a test gives as well. */
type TaskLike = { readonly upid: string }

/** Something of which only this is there: using anything else throws. */
export function aStub<T extends object>(parts: Given<T>, name?: string): T
export function aStub(parts: object, name = 'the world'): object {
  return new Proxy(parts, {
    get: (target, key) => {
      if (typeof key === 'symbol' || key === 'then') return Reflect.get(target, key)
      const place = `${name}.${key}`
      if (!(key in target)) throw new Error(`${place} was not expected to be used`)
      return wrapped(Reflect.get(target, key), place)
    },
  })
}

/** What a method gives at once is a stub as well, such as a node; what it promises is plain data. */
function wrapped(value: unknown, name: string): unknown {
  if (typeof value === 'function')
    return (...args: unknown[]) => {
      const answer: unknown = Reflect.apply(value, undefined, args)
      return answer instanceof Promise ? answer : wrapped(answer, `${name}()`)
    }
  const isPart = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isPart ? aStub<object>(value, name) : value
}
