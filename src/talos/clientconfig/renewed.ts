/** A clock that is set back by this much was wrong. */
const setBackMs = 60 * 60_000

/** Returns the last value; after `forget` the next call creates a new one. */
export interface Renewed<T> {
  (): Promise<T>
  forget(): void
}

/** Creates a value that is valid for hours on first use, and again at half of its lifetime. */
export function renewedAtHalfLife<T>(
  lifetimeHours: number,
  clock: { now(): number },
  make: (now: Date) => Promise<T>,
): Renewed<T> {
  const halfLifeMs = (lifetimeHours / 2) * 60 * 60_000
  let current: { readonly value: Promise<T>; readonly madeAt: number } | undefined

  const isFresh = (madeAt: number) => {
    const age = clock.now() - madeAt
    return age < halfLifeMs && age > -setBackMs
  }

  const get = () => {
    if (current !== undefined && isFresh(current.madeAt)) return current.value
    const madeAt = clock.now()
    const fresh = { value: make(new Date(madeAt)), madeAt }
    current = fresh
    fresh.value.catch(() => {
      if (current === fresh) current = undefined
    })
    return fresh.value
  }
  const forget = () => {
    current = undefined
  }
  return Object.assign(get, { forget })
}
