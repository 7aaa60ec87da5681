import type { MachineFacts } from './machine-facts.js'

/** The value that most machines have; `undefined` if most have none. */
export function mostCommon<T>(values: readonly (T | undefined)[]): T | undefined {
  const counts = new Map<T | undefined, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}

/** The value that all machines have, if it is the same. */
export function onlyOne<T>(values: readonly (T | undefined)[]): T | undefined {
  const [first, ...others] = new Set(values)
  return others.length === 0 ? first : undefined
}

export function kubernetesVersions(facts: readonly MachineFacts[]): string[] {
  return facts.flatMap(({ kubernetesVersion }) => kubernetesVersion ?? [])
}
