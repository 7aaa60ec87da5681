import { scaledSpec } from '../../src/commands/change/scaled-spec.js'
import type { Change } from './lab.js'

/** `ichor scale`, as its command does it. */
export function scaleTo(...words: string[]): Change {
  return (inventory, options) => scaledSpec(words, inventory, options)
}
