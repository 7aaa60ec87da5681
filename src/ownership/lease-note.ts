import type { Holder } from './holder.js'

/** What stands in the comment of a lease. */
export type LeaseNote =
  | { readonly kind: 'free' }
  /** Somebody else's words: nothing that ichor wrote. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'held'; readonly holder: Holder; readonly intent: readonly number[]; readonly renewal: number }

export const freeNote = 'free'

/** One line of JSON; `renewal` makes each one differ, which is how others see that the holder lives. */
export function writeNote(holder: Holder, intent: readonly number[], renewal: number): string {
  return JSON.stringify({ ...holder, renewal, intent })
}

export function readNote(comment: string): LeaseNote {
  if (comment.trim() === freeNote) return { kind: 'free' }
  try {
    const { intent, renewal, ...holder } = JSON.parse(comment) as Holder & { intent: unknown; renewal: unknown }
    if (!isHolder(holder)) return { kind: 'unreadable' }
    const vmids = Array.isArray(intent) ? intent.filter(Number.isInteger) : []
    return { kind: 'held', holder, intent: vmids, renewal: Number(renewal) || 0 }
  } catch {
    return { kind: 'unreadable' }
  }
}

function isHolder(value: Readonly<Record<keyof Holder, unknown>>): boolean {
  const texts = [value.run, value.user, value.host, value.boot, value.started]
  return texts.every((text) => typeof text === 'string') && Number.isInteger(value.pid)
}
