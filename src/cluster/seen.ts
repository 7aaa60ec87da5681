/** What could be read, or why it could not. Not seen is not absent. */
export type Seen<T> = { readonly seen: true; readonly value: T } | { readonly seen: false; readonly why: string }

export function seen<T>(value: T): Seen<T> {
  return { seen: true, value }
}

export function unseen(why: string): Seen<never> {
  return { seen: false, why }
}

/** For callers that treat unreadable, absent and never asked alike. */
export function ifSeen<T>(what: Seen<T> | undefined): T | undefined {
  return what?.seen === true ? what.value : undefined
}
