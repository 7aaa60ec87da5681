/** A priority queue. */
export interface Heap<T> {
  readonly size: number
  add(item: T): void
  peek(): T | undefined
  take(): T | undefined
}

export function createHeap<T>(isBefore: (one: T, other: T) => boolean): Heap<T> {
  const items: T[] = []
  const isLess = (one: number, other: number) => {
    const [first, second] = [items[one], items[other]]
    return first !== undefined && second !== undefined && isBefore(first, second)
  }
  const swap = (one: number, other: number) => {
    const [first, second] = [items[one], items[other]]
    if (first === undefined || second === undefined) return
    items[one] = second
    items[other] = first
  }
  const rise = (from: number) => {
    for (let at = from, up = (at - 1) >> 1; at > 0 && isLess(at, up); at = up, up = (at - 1) >> 1) swap(at, up)
  }
  const sink = () => {
    for (let at = 0, first = firstChild(0); isLess(first, at); at = first, first = firstChild(at)) swap(at, first)
  }
  const firstChild = (at: number) => (isLess(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1)

  return {
    get size() {
      return items.length
    },
    add: (item) => rise(items.push(item) - 1),
    peek: () => items[0],
    take: () => {
      swap(0, items.length - 1)
      const taken = items.pop()
      sink()
      return taken
    },
  }
}
