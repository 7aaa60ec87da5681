import type { Action, Run } from './action.js'
import type { Dice } from './dice.js'

/**
 * Some clusters are made by two operators at once, and the first is at work for as long as it takes the second to judge
 * its lease. Drawn after everything else: other sequences stay as they are.
 */
export function withTwoOperators(dice: Dice, actions: readonly Action[]): readonly Action[] {
  const [first, ...others] = actions
  if (first?.do !== 'run' || !isPlainUp(first) || !dice.chance(0.2)) return actions
  const meanwhile = { at: dice.between(2, 20), action: { what: 'second-up' }, isOutlasted: true } as const
  return [{ ...first, meanwhile }, ...others]
}

function isPlainUp({ verb, faults, end, meanwhile, isProcess }: Run): boolean {
  return verb === 'up' && [faults, end, meanwhile, isProcess].every((one) => one === undefined)
}
