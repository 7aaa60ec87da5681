import { type RotationTarget, rotationTargets } from '../../src/cluster/rotation.js'
import { type Action, type Run, rareVerbs, readingVerbs } from './action.js'
import type { Dice } from './dice.js'
import { randomRunOf } from './random-run.js'
import type { Shape } from './shape.js'

type Story = (dice: Dice, shape: Shape) => readonly Action[]

/** What takes several actions in a row, and most clusters see once in a while. */
const stories: readonly (readonly [number, Story])[] = [
  [3, (dice) => rareRun(dice)],
  [3, staleSecrets],
  [2, twoCheckouts],
  [1.5, (dice) => [randomRunOf(dice, 'shutdown'), ...looks(dice), randomRunOf(dice, 'up')]],
  [1, evacuatedWhileOff],
  [1, sickMember],
]

/** At any place but the first. */
export function withRareStory(dice: Dice, shape: Shape, actions: readonly Action[]): readonly Action[] {
  if (!dice.chance(0.4)) return actions
  const at = dice.between(Math.min(1, actions.length), actions.length)
  return actions.toSpliced(at, 0, ...dice.weighted(stories)(dice, shape))
}

function rareRun(dice: Dice): readonly Action[] {
  const verb = dice.pick(rareVerbs)
  // There is nothing to go back to before.
  const first: Run[] = verb === 'upgrade-back' ? [{ do: 'run', verb: 'upgrade-first' }] : []
  return [...first, randomRunOf(dice, verb)]
}

function looks(dice: Dice): readonly Action[] {
  return dice.chance(0.5) ? [{ do: 'run', verb: dice.pick(readingVerbs) }] : []
}

/** A colleague who did not pull puts the secrets from before a rotation back. */
function staleSecrets(dice: Dice, shape: Shape): readonly Action[] {
  return [
    { do: 'hand', what: 'keep-secret', target: 0 },
    { do: 'secrets', what: 'copy' },
    rotation(dice, shape),
    { do: 'secrets', what: 'restore' },
    randomRunOf(dice, dice.pick(['up', 'up', 'scale', 'replace', 'recover-secrets'] as const)),
  ]
}

/** Somebody rotates a key, and somebody else works on with files from before. */
function twoCheckouts(dice: Dice, shape: Shape): readonly Action[] {
  const isFromLaptop = true
  const verbs = ['up', 'up', 'replace', 'reboot', 'status', 'backup'] as const
  const [ours, theirs] = [rotation(dice, shape), { ...rotation(dice, shape), isFromLaptop } as const]
  return [
    ...(dice.chance(0.7) ? [{ do: 'checkout', what: 'pull' } as const] : []),
    ...(dice.chance(0.5) ? [ours] : [theirs]),
    ...(dice.chance(0.3) ? [{ do: 'checkout', what: dice.pick(['pull', 'push'] as const) } as const] : []),
    randomRunOf(dice, dice.pick(verbs), dice.chance(0.6) ? { isFromLaptop } : {}),
    ...(dice.chance(0.3) ? [dice.chance(0.5) ? ours : theirs] : []),
  ]
}

/** Machines are to leave a host while etcd has no majority: those that are off must start first. */
function evacuatedWhileOff(dice: Dice, { hosts }: Shape): readonly Action[] {
  if (hosts === 1) return rareRun(dice)
  const stopped = [0, 1, 2].map((target) => ({ do: 'hand', what: 'stop', target }) as const)
  return [
    { do: 'edit', change: { evacuated: dice.between(1, hosts) } },
    ...stopped.slice(0, dice.between(2, 3)),
    randomRunOf(dice, 'up'),
  ]
}

/** A member of etcd does not start any more, and somebody replaces a machine: this one or another. */
function sickMember(dice: Dice): readonly Action[] {
  const target = dice.between(0, 2)
  return [
    { do: 'trouble', what: 'etcd-corrupt', target },
    ...looks(dice),
    randomRunOf(dice, dice.pick(['replace', 'replace', 'up', 'doctor-fix'] as const), { target }),
  ]
}

/** Seldom disturbed: most of these stories are about what comes after it. */
function rotation(dice: Dice, { contract }: Shape): Run {
  const what = dice.pick<RotationTarget>(
    contract === 'v1.14' ? [...rotationTargets, 'etcd-encryption-key'] : ['talos-ca', 'kubernetes-ca'],
  )
  return dice.chance(0.3) ? randomRunOf(dice, `rotate-${what}`) : { do: 'run', verb: `rotate-${what}` }
}
