import type { Mark } from '../ownership/mark.js'

/** When `ichor shutdown` turned the machine off, as its mark records; `undefined` once it was started again. */
export function shutdownNote({ more }: Pick<Mark, 'more'>): string | undefined {
  return more?.shutdown
}

/** Recorded before the machine goes down. */
export function withShutdownNote(mark: Mark, at: string): Mark {
  return { ...mark, more: { ...mark.more, shutdown: at } }
}

export function withoutShutdownNote({ more: { shutdown: _, ...more } = {}, ...mark }: Mark): Mark {
  return Object.keys(more).length === 0 ? mark : { ...mark, more }
}
