import type { Mark } from './mark.js'

/** The host that a machine left because of an evacuation, and returns to. */
export function homeOf({ more }: Pick<Mark, 'more'>): string | undefined {
  return more?.home
}

export function withHome(mark: Mark, home: string): Mark {
  return { ...mark, more: { ...mark.more, home } }
}

export function withoutHome({ more: { home: _, ...others } = {}, ...mark }: Mark): Mark {
  return { ...mark, ...(Object.keys(others).length === 0 ? {} : { more: others }) }
}
