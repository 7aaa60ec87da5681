import { createHeap, type Heap } from './heap.js'

/** What blocks a step whose dependencies are done: a full lane, or a turn that others hold. */
export type Door = string

/** Steps that wait only for a free place. Each waits at one door, so that a free place wakes one step, not all. */
export interface ReadyQueue<S> {
  add(step: S): void
  /** Whether a step may start. */
  hasAny(): boolean
  /** Takes the first step that may start. */
  take(): S | undefined
  /** A place became free there: wakes the first waiting step, and more while there is space. */
  open(door: Door): void
}

export interface Rules<S> {
  isBefore(one: S, other: S): boolean
  /** The door that blocks a step now. */
  blockedAt(step: S): Door | undefined
  /** Once one step of a group has started, doors no longer block the others of the group. */
  groupOf(step: S): string | undefined
}

interface Entry<S> {
  readonly step: S
  /** The door it waits at; `undefined` while it is being checked. */
  door: Door | undefined
  /** The door that woke it. */
  from: Door | undefined
}

export function createReadyQueue<S>({ isBefore, blockedAt, groupOf }: Rules<S>): ReadyQueue<S> {
  const emptyHeap = () => createHeap<Entry<S>>((one, other) => isBefore(one.step, other.step))
  const ready = emptyHeap()
  const waiting = new Map<Door, Heap<Entry<S>>>()
  const groups = new Map<string, Entry<S>[]>()
  const opened = new Set<Door>()

  const park = (entry: Entry<S>, door: Door) => {
    entry.door = door
    const there = waiting.get(door) ?? emptyHeap()
    waiting.set(door, there)
    there.add(entry)
    const group = groupOf(entry.step)
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), entry])
  }
  const wake = (entry: Entry<S>, from: Door | undefined) => {
    entry.door = undefined
    entry.from = from
    ready.add(entry)
  }
  /** A step that was woken with its group is still in the heap of its door and is skipped. */
  const wakeFirst = (door: Door) => {
    const there = waiting.get(door)
    for (let entry = there?.take(); entry !== undefined; entry = there?.take())
      if (entry.door === door) return wake(entry, door)
  }
  const wakeGroup = (group: string) => {
    for (const entry of groups.get(group) ?? []) if (entry.door !== undefined) wake(entry, undefined)
    groups.delete(group)
  }

  const first = (): Entry<S> | undefined => {
    for (;;) {
      for (const door of opened) wakeFirst(door)
      opened.clear()
      const entry = ready.peek()
      const door = entry === undefined ? undefined : blockedAt(entry.step)
      if (entry === undefined || door === undefined) return entry
      ready.take()
      if (entry.from !== undefined && entry.from !== door) opened.add(entry.from)
      park(entry, door)
    }
  }

  return {
    add: (step) => ready.add({ step, door: undefined, from: undefined }),
    hasAny: () => first() !== undefined,
    take: () => {
      const entry = first()
      if (entry === undefined) return undefined
      ready.take()
      if (entry.from !== undefined) opened.add(entry.from)
      const group = groupOf(entry.step)
      if (group !== undefined) wakeGroup(group)
      return entry.step
    },
    open: (door) => void opened.add(door),
  }
}
