import { type HandAction, handActions, type Run, readingVerbs, type Trouble, troubles } from './action.js'
import type { Dice } from './dice.js'
import { randomFault } from './random-fault.js'
import type { Shape } from './shape.js'

/** Verbs that name a machine, a host, a snapshot or one of two versions. */
const targeted: readonly Run['verb'][] = ['replace', 'reboot', 'evacuate', 'restore', 'upgrade', 'replace-lost-host']

/** Verbs that are over after few calls. */
const short: readonly Run['verb'][] = ['backup', 'restore', 'drill', 'evacuate', 'reboot']

/** One of the verbs that clusters see most. */
export function randomRun(dice: Dice, { hosts, contract }: Shape, hasSnapshot: boolean): Run {
  return randomRunOf(
    dice,
    dice.weighted([
      [8, 'up'],
      [1, 'destroy'],
      [2, dice.pick(readingVerbs)],
      [1, 'status'],
      [2, 'replace'],
      [1, 'reboot'],
      [0.5, 'rotate-talos-ca'],
      [0.5, 'rotate-kubernetes-ca'],
      [contract === 'v1.14' ? 1 : 0.1, 'rotate-service-account-key'],
      [contract === 'v1.14' ? 1 : 0.1, 'rotate-etcd-encryption-key'],
      [1, 'backup'],
      [hasSnapshot ? 4 : 0, 'restore'],
      [hasSnapshot ? 2 : 0, 'drill'],
      [hosts > 1 ? 1.5 : 0, 'evacuate'],
      [0.3, 'scale'],
      [0.3, 'upgrade'],
    ] as const),
  )
}

/** A run of a verb, and what happens to it. */
export function randomRunOf(dice: Dice, verb: Run['verb'], more: Partial<Run> = {}): Run {
  const at = () =>
    dice.weighted([
      [2, () => dice.between(1, 12)],
      [3, () => dice.between(1, short.includes(verb) ? 30 : 80)],
    ] as const)()
  const run: Run = {
    do: 'run',
    verb,
    ...(targeted.includes(verb) ? { target: dice.between(0, 5) } : {}),
    ...(dice.chance(0.5) ? { faults: Array.from({ length: dice.between(1, 2) }, () => randomFault(dice)) } : {}),
    ...(dice.chance(0.35)
      ? { end: { how: dice.pick(['kill', 'kill', 'interrupt', 'freeze'] as const), at: at() } }
      : {}),
    ...(dice.chance(0.25) ? { meanwhile: { at: at(), action: randomMeanwhile(dice) } } : {}),
    ...more,
  }
  return dice.chance(0.1) ? asProcess(dice, run) : atDesk(dice, run)
}

/** Nobody else of this process runs ichor meanwhile: leases have another clock here. It is killed by a signal, or ends. */
function asProcess(dice: Dice, { meanwhile, end, ...run }: Run): Run {
  const isAlone = meanwhile === undefined || meanwhile.action.what === 'second-up'
  const isKilled = end !== undefined || dice.chance(0.4)
  const how = dice.pick(['kill', 'kill-in-write', 'interrupt'] as const)
  const at = how === 'kill-in-write' ? dice.between(1, 3) : (end?.at ?? dice.between(1, 40))
  return {
    ...run,
    isProcess: true,
    ...(isAlone ? {} : { meanwhile }),
    ...(isKilled ? { end: { how, at } } : {}),
  }
}

const hourMs = 3_600_000
/** Minutes are nothing that anybody notices; a day is. */
const clocks = [-400 * 24 * hourMs, -26 * hourMs, -hourMs / 20, hourMs / 20, 26 * hourMs, 400 * 24 * hourMs]

/** What is wrong with the computer that ichor runs on. */
function atDesk(dice: Dice, run: Run): Run {
  return {
    ...run,
    ...(dice.chance(0.04)
      ? { disk: { how: dice.pick(['full', 'full', 'read-only'] as const), at: dice.between(0, 6) } }
      : {}),
    ...(dice.chance(0.03) ? { clockMs: dice.pick(clocks) } : {}),
  }
}

function randomMeanwhile(dice: Dice): NonNullable<Run['meanwhile']>['action'] {
  return dice.weighted<() => NonNullable<Run['meanwhile']>['action']>([
    [3, () => randomHand(dice)],
    [3, () => randomTrouble(dice)],
    [2, () => ({ what: 'second-up' })],
  ])()
}

export function randomHand(dice: Dice): HandAction {
  return { what: dice.pick(handActions), target: dice.between(0, 5) }
}

export function randomTrouble(dice: Dice): Trouble {
  return { what: dice.pick(troubles), target: dice.between(0, 5) }
}
