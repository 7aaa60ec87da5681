/** Caches work on an immutable list: fleets have thousands of machines. */
export function oncePer<L extends object, V>(work: (list: L) => V): (list: L) => V {
  const known = new WeakMap<L, { readonly value: V }>()
  return (list) => {
    const found = known.get(list) ?? { value: work(list) }
    known.set(list, found)
    return found.value
  }
}

/** The first item of a list with a key, from an index. */
export function lookupBy<T, K>(keyOf: (item: T) => K): (list: readonly T[], key: K) => T | undefined {
  const indexOf = oncePer((list: readonly T[]) => {
    const index = new Map<K, T>()
    for (const item of list) if (!index.has(keyOf(item))) index.set(keyOf(item), item)
    return index
  })
  return (list, key) => indexOf(list).get(key)
}

/** The items of a list by a key, each group in list order. */
export function groupBy<T, K>(list: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of list) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
