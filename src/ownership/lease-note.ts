import type { Holder } from './holder.js'

/** What stands in the comment of a lease. */
export type LeaseNote =
  | { readonly kind: 'free'; readonly intent: readonly number[] }
  /** Somebody else's words: nothing that ichor wrote. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'held'; readonly holder: Holder; readonly intent: readonly number[]; readonly renewal: number }

const free = 'free'

/** Nobody holds it. A run that did not end well leaves the VMIDs that it may have claimed: the next one looks there. */
export function freeNote(intent: readonly number[] = []): string {
  return intent.length === 0 ? free : `${free} after ${intent.join(',')}`
}

/** One line of JSON; `renewal` makes each one differ, which is how others see that the holder lives. */
export function writeNote(holder: Holder, intent: readonly number[], renewal: number): string {
  return JSON.stringify({ ...holder, renewal, intent })
}

export function readNote(comment: string): LeaseNote {
  const released = /^free(?: after ([\d,]+))?$/.exec(comment.trim())
  if (released !== null) return { kind: 'free', intent: (released[1] ?? '').split(',').filter(Boolean).map(Number) }
  try {
    const { intent, renewal, ...holder } = JSON.parse(comment) as Holder & { intent: unknown; renewal: unknown }
    if (!isHolder(holder)) return { kind: 'unreadable' }
    const vmids = Array.isArray(intent) ? intent.filter(Number.isInteger) : []
    return { kind: 'held', holder, intent: vmids, renewal: Number(renewal) || 0 }
  } catch {
    return { kind: 'unreadable' }
  }
}

function isHolder(value: Readonly<Record<keyof Omit<Holder, 'since'>, unknown>>): boolean {
  const texts = [value.run, value.user, value.host, value.boot, value.started]
  return texts.every((text) => typeof text === 'string') && Number.isInteger(value.pid)
}
