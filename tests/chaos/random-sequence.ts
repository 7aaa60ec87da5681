import type { Action } from './action.js'
import { createDice, type Dice } from './dice.js'
import { randomHand, randomRun, randomTrouble } from './random-run.js'
import { withRareStory } from './rare-stories.js'
import { type Edit, most, randomShape, type Shape, versions } from './shape.js'
import { withTwoOperators } from './two-operators.js'

/** A random inventory and what happens to it. */
export interface Sequence {
  readonly seed: number
  readonly shape: Shape
  readonly actions: readonly Action[]
  /** Whether the cluster is destroyed after it was found well. */
  readonly endsWithDestroy: boolean
}

export function randomSequence(seed: number): Sequence {
  const dice = createDice(seed)
  const shape = randomShape(dice)
  const count = dice.between(2, 8)
  const actions: Action[] = []
  // Most stories are about a cluster that there is already.
  if (dice.chance(0.6)) actions.push({ do: 'run', verb: 'up' })
  if (actions.length > 0 && dice.chance(0.5)) actions.push({ do: 'run', verb: 'backup' })
  let now = shape
  for (let index = 0; index < count; index++) {
    const action = randomAction(dice, now, actions.some(isBackup))
    actions.push(action)
    if (action.do === 'edit') now = { ...now, ...action.change }
  }
  const endsWithDestroy = dice.chance(0.4)
  return { seed, shape, actions: withRareStory(dice, shape, withTwoOperators(dice, actions)), endsWithDestroy }
}

function isBackup(action: Action): boolean {
  return action.do === 'run' && action.verb === 'backup'
}

function randomAction(dice: Dice, shape: Shape, hasSnapshot: boolean): Action {
  return dice.weighted<() => Action>([
    [8, () => randomRun(dice, shape, hasSnapshot)],
    [4, () => ({ do: 'edit', change: randomEdit(dice, shape) })],
    [4, () => ({ do: 'hand', ...randomHand(dice) })],
    [2, () => ({ do: 'trouble', ...randomTrouble(dice) })],
    [1, () => ({ do: 'calm' })],
    [1, () => ({ do: 'secrets', what: dice.pick(['copy', 'copy', 'restore', 'lose'] as const) })],
  ])()
}

function randomEdit(dice: Dice, shape: Shape): Edit {
  const { newest } = versions[shape.contract]
  const isLatest = [undefined, newest.talos].some((one) => one === shape.talos)
  return dice.weighted<() => Edit>([
    [5, () => ({ workers: dice.between(0, most.workers) })],
    [3, () => ({ controlPlanes: shape.controlPlanes === 1 ? 3 : dice.pick([1, 3]) })],
    [1, () => ({ memory: dice.pick([4, 6, 8]) })],
    [1, () => ({ disk: shape.disk + 5 })],
    [2, () => ({ patch: dice.between(1, 100) })],
    [1, () => ({ tags: dice.pick([[], ['blue'], ['blue', 'green']]) })],
    [1, () => ({ addons: shape.addons.includes('cilium') ? shape.addons : dice.pick([[], ['metrics_server']]) })],
    [shape.network === 'static' ? 1 : 0, () => ({ firewall: !shape.firewall })],
    [shape.pool === undefined ? 0 : 2, () => ({ pool: dice.between(0, most.pool) })],
    [isLatest ? 0 : 3, () => ({ talos: shape.contract === 'v1.13' ? undefined : newest.talos })],
    [shape.kubernetes === undefined ? 0 : 3, () => ({ kubernetes: undefined })],
    [
      shape.hosts === 1 ? 0 : 2,
      () => ({ evacuated: shape.evacuated === undefined ? dice.between(1, shape.hosts) : undefined }),
    ],
  ])()
}
