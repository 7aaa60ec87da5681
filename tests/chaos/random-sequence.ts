import type { FaultRule } from '../../src/simulator/index.js'
import { type Action, type HandAction, handActions, type Run, rareVerbs, type Trouble, troubles } from './action.js'
import { createDice, type Dice } from './dice.js'
import { type Edit, most, randomShape, type Shape } from './shape.js'
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
  return { seed, shape, actions: withRareVerb(dice, withTwoOperators(dice, actions)), endsWithDestroy }
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

/** Verbs that name a machine, a host, a snapshot or one of two versions. */
const targeted: readonly Run['verb'][] = ['replace', 'reboot', 'evacuate', 'restore', 'upgrade']

/** Verbs that are over after few calls. */
const short: readonly Run['verb'][] = ['backup', 'restore', 'drill', 'evacuate', 'reboot']

function randomRun(dice: Dice, { hosts }: Shape, hasSnapshot: boolean): Run {
  return randomRunOf(
    dice,
    dice.weighted([
      [8, 'up'],
      [1, 'destroy'],
      [1, 'plan'],
      [1, 'status'],
      [2, 'replace'],
      [1, 'reboot'],
      [0.5, 'rotate-talos-ca'],
      [0.5, 'rotate-kubernetes-ca'],
      [1, 'backup'],
      [hasSnapshot ? 4 : 0, 'restore'],
      [hasSnapshot ? 2 : 0, 'drill'],
      [hosts > 1 ? 1.5 : 0, 'evacuate'],
      [0.3, 'scale'],
      [0.3, 'upgrade'],
      [0.2, 'health'],
    ] as const),
  )
}

/** Drawn after everything else: other sequences stay as they are. */
function withRareVerb(dice: Dice, actions: readonly Action[]): readonly Action[] {
  if (!dice.chance(0.2)) return actions
  const verb = dice.pick(rareVerbs)
  // There is nothing to go back to before.
  const first: Run[] = verb === 'upgrade-back' ? [{ do: 'run', verb: 'upgrade-first' }] : []
  const at = dice.between(Math.min(1, actions.length), actions.length)
  return actions.toSpliced(at, 0, ...first, randomRunOf(dice, verb))
}

function randomRunOf(dice: Dice, verb: Run['verb']): Run {
  const at = () =>
    dice.weighted([
      [2, () => dice.between(1, 12)],
      [3, () => dice.between(1, short.includes(verb) ? 30 : 80)],
    ] as const)()
  return {
    do: 'run',
    verb,
    ...(targeted.includes(verb) ? { target: dice.between(0, 5) } : {}),
    ...(verb === 'up' && dice.chance(0.03) ? { isProcess: true } : {}),
    ...(dice.chance(0.5) ? { faults: Array.from({ length: dice.between(1, 2) }, () => randomFault(dice)) } : {}),
    ...(dice.chance(0.35)
      ? { end: { how: dice.pick(['kill', 'kill', 'interrupt', 'freeze'] as const), at: at() } }
      : {}),
    ...(dice.chance(0.25) ? { meanwhile: { at: at(), action: randomMeanwhile(dice) } } : {}),
  }
}

function randomMeanwhile(dice: Dice): NonNullable<Run['meanwhile']>['action'] {
  return dice.weighted<() => NonNullable<Run['meanwhile']>['action']>([
    [3, () => randomHand(dice)],
    [3, () => randomTrouble(dice)],
    [2, () => ({ what: 'second-up' })],
  ])()
}

function randomHand(dice: Dice): HandAction {
  return { what: dice.pick(handActions), target: dice.between(0, 5) }
}

function randomTrouble(dice: Dice): Trouble {
  return { what: dice.pick(troubles), target: dice.between(0, 5) }
}

function randomEdit(dice: Dice, shape: Shape): Edit {
  return dice.weighted<() => Edit>([
    [5, () => ({ workers: dice.between(0, most.workers) })],
    [3, () => ({ controlPlanes: shape.controlPlanes === 1 ? 3 : dice.pick([1, 3]) })],
    [1, () => ({ memory: dice.pick([4, 6, 8]) })],
    [1, () => ({ disk: shape.disk + 5 })],
    [2, () => ({ patch: dice.between(1, 100) })],
    [1, () => ({ tags: dice.pick([[], ['blue'], ['blue', 'green']]) })],
    [1, () => ({ addons: shape.addons.includes('cilium') ? shape.addons : dice.pick([[], ['metrics_server']]) })],
    [shape.pool === undefined ? 0 : 2, () => ({ pool: dice.between(0, most.pool) })],
    [shape.talos === undefined ? 0 : 3, () => ({ talos: undefined })],
    [shape.kubernetes === undefined ? 0 : 3, () => ({ kubernetes: undefined })],
    [
      shape.hosts === 1 ? 0 : 2,
      () => ({ evacuated: shape.evacuated === undefined ? dice.between(1, shape.hosts) : undefined }),
    ],
  ])()
}

const gatewayErrors = [500, 502, 503, 595, 596]

function randomFault(dice: Dice): FaultRule {
  const times = dice.between(1, 4)
  const seldom = { chance: dice.pick([0.02, 0.1, 0.3]), times }
  const deletion: FaultRule['match'] = { surface: 'proxmox', method: 'DELETE', path: '/qemu/' }
  const start: FaultRule['match'] = { surface: 'proxmox', method: 'POST' }
  // Few workers delete a VM, so one of them is always hit.
  const worker = times > 2 ? { match: deletion } : { match: start, ...seldom }
  const nth = { match: { nthMutating: dice.between(1, 60) } }
  return dice.weighted<() => FaultRule>([
    [4, () => ({ ...nth, action: { kind: 'drop-answer' } })],
    [2, () => ({ match: {}, action: { kind: 'drop-answer' }, ...seldom })],
    [2, () => ({ match: {}, action: { kind: 'refuse' }, ...seldom })],
    [3, () => ({ match: { surface: 'proxmox' }, action: proxmoxStatus(dice), ...seldom })],
    [1, () => ({ match: { surface: 'proxmox', method: 'GET' }, action: proxmoxStatus(dice), ...seldom })],
    [
      2,
      () => ({
        match: { surface: 'talos' },
        action: { kind: 'status', status: dice.pick([4, 14, 13]), message: 'the lab says no' },
        ...seldom,
      }),
    ],
    [
      2,
      () => ({
        match: { surface: 'kubernetes' },
        action: { kind: 'status', status: dice.pick([429, 500, 503, 504]), message: 'the lab says no' },
        ...seldom,
      }),
    ],
    [
      1,
      () => ({
        match: { surface: 'factory' },
        action: { kind: 'status', status: dice.pick([429, 500, 503]), message: 'the lab says no' },
        times,
      }),
    ],
    [1, () => ({ match: { surface: 'factory' }, action: { kind: 'cut-stream' }, times: 1 })],
    [
      3,
      () => ({
        action: { kind: dice.pick(['kill-task', 'kill-task'] as const) },
        ...worker,
      }),
    ],
    [
      2,
      () => ({
        action: { kind: 'fail-task', message: 'the lab says no' },
        ...worker,
      }),
    ],
    [
      2,
      () => ({
        match: deletion,
        action: dice.pick<FaultRule['action']>([
          { kind: 'kill-task' },
          { kind: 'fail-task', message: 'the lab says no' },
          { kind: 'drop-answer' },
        ]),
        times: 1,
      }),
    ],
    [
      2,
      () => ({
        match: { surface: 'proxmox', path: '/config$' },
        action: { kind: 'fail-config', message: 'the lab says no' },
        ...seldom,
      }),
    ],
    [1, () => ({ match: {}, action: { kind: 'delay', modelMs: dice.pick([1000, 20_000, 90_000]) }, ...seldom })],
    [1, () => ({ match: {}, action: { kind: 'cut-stream' }, ...seldom })],
  ])()
}

function proxmoxStatus(dice: Dice): FaultRule['action'] {
  return {
    kind: 'status',
    status: dice.pick([...gatewayErrors, ...gatewayErrors, 401, 403]),
    message: 'the lab says no',
  }
}
