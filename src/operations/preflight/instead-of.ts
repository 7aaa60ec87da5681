import { findNearest } from '../../nearest.js'

/** What to write instead of a name that does not exist: the one that is nearest, or what else can be done. */
export function insteadOf(name: string, known: readonly string[], otherwise: string): string {
  const nearest = findNearest(name, known)
  return nearest === undefined ? otherwise : `Did you mean ${nearest}?`
}
